//! Prepares a navmesh for queries in the background. Meanwhile, queries on it wait for what they need.

use std::{convert::Infallible, sync::Arc};

use walkable::{diagnostic::Phrase, navmesh::NavMesh, phrase};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

#[derive(Clone, Debug)]
pub struct PrepareRequest(pub Arc<NavMesh>);

impl Job for PrepareRequest {
    type Message = Infallible;

    fn carry_out(self, _: &Reporter<Infallible>) {
        self.0.prepare_queries();
    }
}

impl Task for PrepareRequest {
    const THREAD: &'static str = "prepare queries";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Preparing the navmesh for queries")
    }

    fn apply(_: &mut Session, message: Infallible) -> Option<FollowUp> {
        match message {}
    }
}
