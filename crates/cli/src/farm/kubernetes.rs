//! Kubernetes: an indexed job and a merge job.

use std::iter;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};
use walkable_workspace::files;

use super::{FarmArgs, FarmFiles, MAX_RESTARTS};
use crate::Failure;

/// Path at which the tasks mount the volume.
const MOUNT: &str = "/world";

/// Arguments of `walkable farm k8s`.
#[derive(Args, Debug)]
pub(crate) struct KubernetesArgs {
    #[command(flatten)]
    farm: FarmArgs,
    /// Container image with the program `walkable` and a shell.
    #[arg(long, value_name = "IMAGE", default_value = "walkable:latest")]
    image: String,
    /// Persistent volume claim, writable by many nodes, with the level; the tasks run in its top folder and write parts,
    /// cache and result to it.
    #[arg(long, value_name = "CLAIM", default_value = "world")]
    claim: String,
}

impl KubernetesArgs {
    /// Returns the names and contents of the files. Fails if a task would overwrite the level or the settings.
    pub(super) fn files(&self) -> Result<(&FarmArgs, FarmFiles), Failure> {
        for path in iter::once(&self.farm.level).chain(&self.farm.settings) {
            // The tasks find the level where they write their files.
            let path = path.strip_prefix(MOUNT).unwrap_or(path);
            files::declare_input(&self.farm.output.join(path))?;
        }
        let text = |job: &Value| -> anyhow::Result<String> {
            let text = serde_json::to_string_pretty(job).context("cannot write the job as JSON")?;
            Ok(format!("{text}\n"))
        };
        let files = vec![
            ("bake.json", text(&self.bake_job()?)?),
            ("merge.json", text(&self.merge_job())?),
            ("submit.sh", submit(u64::from(self.farm.time) * u64::from(1 + MAX_RESTARTS))),
        ];
        Ok((&self.farm, files))
    }

    fn bake_job(&self) -> anyhow::Result<Value> {
        let shards = self.farm.shards;
        let bake = self.farm.bake_command("exec walkable", "$shard")?;
        let script = format!("shard=$((JOB_COMPLETION_INDEX + 1)); mkdir -p parts && {bake}");
        let mut job = self.job("walkable-bake", &script);
        let spec = &mut job["spec"];
        spec["completionMode"] = "Indexed".into();
        spec["completions"] = shards.into();
        spec["parallelism"] = shards.into();
        // Each shard starts again a few times; wrong arguments stop all at once, and a lost node does not count.
        spec["backoffLimitPerIndex"] = MAX_RESTARTS.into();
        spec["podFailurePolicy"] = json!({ "rules": [
            { "action": "FailJob", "onExitCodes": { "operator": "In", "values": [2] } },
            {
                "action": "Ignore",
                "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }],
            },
        ]});
        Ok(job)
    }

    fn merge_job(&self) -> Value {
        let mut job = self.job("walkable-merge", &self.farm.merge_command("exec walkable"));
        job["spec"]["backoffLimit"] = MAX_RESTARTS.into();
        job
    }

    fn job(&self, name: &str, script: &str) -> Value {
        let Self { farm: FarmArgs { cpus, memory, time, .. }, image, claim } = self;
        let resources = json!({ "cpu": cpus.to_string(), "memory": memory.to_string() });
        json!({
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": { "name": name },
            "spec": {
                "template": { "spec": {
                    "restartPolicy": "Never",
                    "activeDeadlineSeconds": time,
                    "containers": [{
                        "name": "walkable",
                        "image": image,
                        "command": ["/bin/sh", "-c", script],
                        "workingDir": MOUNT,
                        "resources": { "requests": resources, "limits": resources },
                        "volumeMounts": [{ "name": "world", "mountPath": MOUNT }],
                    }],
                    "volumes": [{ "name": "world", "persistentVolumeClaim": { "claimName": claim } }],
                }},
            },
        })
    }
}

pub(super) const SUBMIT_TITLE: &str = "# Runs the bake, waits for it, and runs the merge; ";

/// Returns a script that runs both jobs, one after the other. `secs` is the longest time that a job can take.
fn submit(secs: u64) -> String {
    format!(
        r#"#!/bin/sh
# Runs the bake, waits for it, and runs the merge; arguments are passed to kubectl, such as --namespace=farm.
set -eu
cd "$(dirname "$0")"
kubectl "$@" apply -f bake.json
kubectl "$@" wait --for=condition=complete --timeout={secs}s job/walkable-bake
kubectl "$@" apply -f merge.json
kubectl "$@" wait --for=condition=complete --timeout={secs}s job/walkable-merge
"#
    )
}
