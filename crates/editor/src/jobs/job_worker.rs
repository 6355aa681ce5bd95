//! The jobs inside a worker.

use walkable_workspace::wire;

use crate::jobs::{
    bake_end::BakeEndRequest,
    job_workers::{self, DONE, JobKind, Sent, failure},
    tasks,
};

/// Runs the job of a request in this worker, and calls `send` with its messages.
pub fn run_in_worker(request: &[u8], send: impl Fn(Vec<u8>) + Clone + Send + Sync + 'static) {
    let ended = run(request, send.clone());
    send(ended.map_or_else(|| failure("the request is damaged"), |()| vec![DONE]));
}

fn run(request: &[u8], send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> Option<()> {
    let sent: Sent = wire::from_bytes(request).ok()?;
    sent.adopt();
    let request = &sent.request[..];
    match sent.kind {
        JobKind::Task(task) => tasks::run_in_worker(task, request, send),
        JobKind::BakeEnd => job_workers::run_as::<BakeEndRequest>(request, send),
    }
}

#[cfg(test)]
pub(super) mod testing {
    use std::{
        collections::BTreeMap,
        sync::{Arc, Mutex, mpsc::sync_channel},
    };

    use super::*;
    use crate::{
        jobs::{
            job_workers::{JobWorkers, SentJob},
            path_tests::PathTestRequest,
            slot::{JobEvent, JobSlot, Wake},
        },
        task::TaskId,
    };

    /// Workers that do the whole work when a job starts.
    #[derive(Debug, Default)]
    pub(in crate::jobs) struct TestWorkers {
        pub(in crate::jobs) jobs: Mutex<BTreeMap<u32, Vec<Vec<u8>>>>,
        pub(in crate::jobs) requests: Mutex<Vec<Vec<u8>>>,
    }

    impl JobWorkers for TestWorkers {
        fn start(&self, request: &[u8]) -> u32 {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.to_vec());
            let number = u32::try_from(requests.len()).unwrap();
            let sent = Arc::new(Mutex::new(Vec::new()));
            let to = Arc::clone(&sent);
            run_in_worker(request, move |message| to.lock().unwrap().push(message));
            self.jobs.lock().unwrap().insert(number, std::mem::take(&mut *sent.lock().unwrap()));
            number
        }

        fn take(&self, job: u32) -> Vec<Vec<u8>> {
            self.jobs.lock().unwrap().get_mut(&job).map(std::mem::take).unwrap_or_default()
        }

        fn stop(&self, job: u32) {
            self.jobs.lock().unwrap().remove(&job);
        }
    }

    fn messages<J: SentJob>(
        kind: JobKind,
        request: J,
        workers: Option<&Arc<dyn JobWorkers>>,
    ) -> Vec<J::Message> {
        let (sender, wakes) = sync_channel(1000);
        let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        let mut slot = JobSlot::new("test", wake);
        job_workers::request(&mut slot, workers, kind, request);
        let mut messages = Vec::new();
        while slot.has_thread() {
            wakes.recv().unwrap();
            for event in slot.poll() {
                match event {
                    JobEvent::Message(message) => messages.push(message),
                    JobEvent::Finished => {}
                    JobEvent::Panicked(why) => panic!("{why}"),
                }
            }
        }
        messages
    }

    /// Returns the messages of a job that runs here, and of the same job in a worker. Checks that damaged requests are
    /// refused.
    pub(in crate::jobs) fn here_and_in_worker<J: SentJob>(
        kind: impl Into<JobKind>,
        request: impl Fn() -> J,
    ) -> [Vec<J::Message>; 2] {
        let kind = kind.into();
        let own = Arc::new(TestWorkers::default());
        let workers: Arc<dyn JobWorkers> = Arc::<TestWorkers>::clone(&own);
        let both = [messages(kind, request(), None), messages(kind, request(), Some(&workers))];
        let sent = own.requests.lock().unwrap()[0].clone();
        assert!(own.jobs.lock().unwrap().is_empty(), "the worker has ended");
        for n in [0, 1, 4, 5, 40, sent.len() / 2, sent.len() - 1] {
            let job = own.start(&sent[..n]);
            assert_eq!(own.take(job), [failure("the request is damaged")], "{n} bytes");
        }
        both
    }

    #[test]
    fn a_cancelled_job_ends_its_worker_and_a_failed_one_says_why() {
        #[derive(Debug, Default)]
        struct Silent(Mutex<Vec<&'static str>>);

        impl JobWorkers for Silent {
            fn start(&self, _request: &[u8]) -> u32 {
                self.0.lock().unwrap().push("started");
                7
            }

            fn take(&self, job: u32) -> Vec<Vec<u8>> {
                assert_eq!(job, 7);
                let fails = self.0.lock().unwrap().contains(&"stopped");
                fails.then(|| failure("out of memory")).into_iter().collect()
            }

            fn stop(&self, job: u32) {
                assert_eq!(job, 7);
                self.0.lock().unwrap().push("stopped");
            }
        }

        let kind = JobKind::Task(TaskId::PathTests);
        let request = || {
            let session = crate::testing::baked();
            PathTestRequest::of(&session).unwrap()
        };
        let own = Arc::new(Silent::default());
        let workers: Arc<dyn JobWorkers> = Arc::<Silent>::clone(&own);
        let (sender, wakes) = sync_channel(1000);
        let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        let mut slot = JobSlot::new("test", wake);
        job_workers::request(&mut slot, Some(&workers), kind, request());
        while own.0.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        slot.cancel();
        while slot.has_thread() {
            wakes.recv().unwrap();
            assert_eq!(slot.poll(), []);
        }
        assert_eq!(*own.0.lock().unwrap(), ["started", "stopped"]);
        job_workers::request(&mut slot, Some(&workers), kind, request());
        let mut events = Vec::new();
        while slot.has_thread() {
            wakes.recv().unwrap();
            events.extend(slot.poll());
        }
        assert_eq!(events, [JobEvent::Panicked("out of memory".to_owned())]);
    }
}
