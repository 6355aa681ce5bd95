//! The jobs of one window: starts the work that the editor requests and collects the results.

use std::{path::Path, sync::Arc};

use crate::{
    jobs::{
        answer::AnswerJob,
        ask_file::{AskFile, ShowDialog},
        bake::BakeJob,
        bake_workers::BakePools,
        export::ExportJob,
        game::GameJob,
        job_workers::JobWorkers,
        open::{LevelBudget, OpenJob},
        overview::OverviewJob,
        slot::Wake,
        tasks::Tasks,
        watch::Watch,
        work::{JobMessage, JobStatus, Work, WorkReport},
        world_route::WorldRouteJob,
    },
    level_appearance::ImageDecoder,
    task::TaskId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    Take,
    Leave,
}

#[derive(Debug)]
pub struct BackgroundJobs {
    bake: BakeJob,
    answer: AnswerJob,
    open: OpenJob,
    overview: OverviewJob,
    ask: AskFile,
    export: ExportJob,
    watch: Watch,
    world_route: WorldRouteJob,
    game: GameJob,
    preview: BakeJob,
    tasks: Tasks,
}

impl BackgroundJobs {
    /// Jobs call `wake` when there is something to poll; the bake calls `wake_for_results` instead.
    pub fn new(wake: &Wake, wake_for_results: &Wake, show: ShowDialog) -> Self {
        Self {
            bake: BakeJob::new(Arc::clone(wake_for_results)),
            answer: AnswerJob::new(Arc::clone(wake)),
            open: OpenJob::new(Arc::clone(wake)),
            overview: OverviewJob::new(Arc::clone(wake)),
            ask: AskFile::new(Arc::clone(wake), show),
            export: ExportJob::new(Arc::clone(wake)),
            watch: Watch::new(Arc::clone(wake)),
            world_route: WorldRouteJob::new(Arc::clone(wake)),
            game: GameJob::new(Arc::clone(wake)),
            preview: BakeJob::new(Arc::clone(wake)),
            tasks: Tasks::new(wake),
        }
    }

    #[must_use]
    pub fn with_job_workers(mut self, workers: Option<Arc<dyn JobWorkers>>) -> Self {
        self.bake = self.bake.with_end_workers(workers.clone());
        self.preview = self.preview.with_end_workers(workers.clone());
        self.tasks.workers = workers;
        self
    }

    #[must_use]
    pub fn with_bake_workers(mut self, workers: Option<BakePools>) -> Self {
        let Some(BakePools { bake, preview, stages }) = workers else { return self };
        self.bake = self.bake.with_workers(Some(bake));
        self.preview = self.preview.with_workers(Some(preview));
        self.answer = self.answer.with_workers(Some(stages));
        self
    }

    #[must_use]
    pub fn with_tile_cache(mut self, folder: Option<&Path>) -> Self {
        self.bake = self.bake.with_cache(folder.map(Path::to_owned));
        self.preview = self.preview.with_cache(folder.map(Path::to_owned));
        self.tasks.resources.folders.cache = folder.map(Path::to_owned);
        self
    }

    /// Sets the folder for the tiles of levels that are checked or exported as a whole.
    #[must_use]
    pub fn with_level_stores(mut self, folder: Option<&Path>) -> Self {
        self.tasks.resources.folders.stores = folder.map(Path::to_owned);
        self
    }

    /// Sets the folder in which the overviews of levels larger than memory are stored.
    #[must_use]
    pub fn with_overviews(mut self, folder: Option<&Path>) -> Self {
        self.overview = self.overview.with_store(folder.map(Path::to_owned));
        self
    }

    #[must_use]
    pub fn with_routes(mut self, folder: Option<&Path>) -> Self {
        self.world_route = self.world_route.with_store(folder.map(Path::to_owned));
        self
    }

    /// Sets the memory budget for the textures and triangles of levels opened from now on.
    pub fn set_level_budget(&mut self, budget: LevelBudget) {
        // Loaded tiles may take a quarter of the memory budget; a whole navmesh all of it for a short time.
        self.tasks.resources.navmesh_bytes = budget.tile_bytes.saturating_mul(4);
        self.open.set_budget(budget);
    }

    #[must_use]
    pub fn with_images(mut self, images: ImageDecoder) -> Self {
        self.open = self.open.with_images(images);
        self
    }

    /// Starts `work`, or stops the job that it names.
    pub fn start(&mut self, work: Work) {
        match work {
            Work::Run(request) => self.tasks.start(request),
            Work::Cancel(tasks) => self.tasks.cancel(tasks),
            Work::AskFile(purpose, proposal) => self.ask.start(purpose, proposal),
            Work::Open(source, import, part) => self.open.start(source, import, part),
            Work::Overview(request) => self.overview.start(request),
            Work::CancelOverview => self.overview.cancel(),
            Work::Watch(files) => self.watch.look_after(files),
            Work::Bake(request) => {
                // The document has changed, or the user wants it baked as it is.
                self.preview.cancel();
                self.bake.start(*request);
            }
            Work::CancelBake => self.bake.cancel(),
            Work::Stages(wanted) => self.answer.start(&wanted),
            Work::FindRoute(request) => self.world_route.start(*request),
            Work::CancelRoute => self.world_route.cancel(),
            Work::ForgetRoute => self.world_route.forget(),
            Work::Listen(request) => self.game.start(request),
            Work::StopListening => {
                self.game.cancel();
                self.tasks.cancel(TaskId::AnswerGame.into());
            }
            Work::TellGame(line) => self.game.send(&line),
            Work::Preview(request) => self.preview.start(*request),
            Work::CancelPreview => self.preview.cancel(),
            Work::Export(export, target) => self.export.start(*export, *target),
        }
    }

    pub fn status(&self) -> JobStatus {
        JobStatus {
            running: self.tasks.running(),
            reading: self.open.reading().cloned(),
            reads_overview: self.overview.is_busy(),
            bake: self.bake.progress(),
            finds_route: self.world_route.is_busy(),
            preview: self.preview.progress(),
            answers: self.answer.is_busy(),
            saves: self.ask.is_busy() || self.export.is_busy(),
            writes: self.export.is_busy(),
        }
    }

    /// Returns whether a long bake is running, whose results are better collected many at a time.
    pub fn bakes_long(&self) -> bool {
        self.bake.is_long()
    }

    /// Collects what the jobs have reported since the last poll. The results of a bake are left for a later poll unless
    /// `results` is [`Results::Take`].
    pub fn poll(&mut self, results: Results) -> WorkReport {
        let mut messages = Vec::new();
        messages.extend(self.open.poll().into_iter().map(JobMessage::Opened));
        messages.extend(self.overview.poll().into_iter().map(JobMessage::Overview));
        if results == Results::Take {
            messages.extend(self.bake.poll().into_iter().map(JobMessage::Baked));
        }
        if self.watch.poll() {
            messages.push(JobMessage::LevelChanged);
        }
        messages.extend(self.answer.poll().into_iter().map(JobMessage::Answered));
        messages.extend(self.world_route.poll().into_iter().map(JobMessage::RouteFound));
        messages.extend(self.game.poll().into_iter().map(JobMessage::Game));
        let tasks = self.tasks.poll().into_iter().map(Box::new);
        messages.extend(tasks.map(JobMessage::Task));
        messages.extend(self.preview.poll().into_iter().map(JobMessage::Previewed));
        messages.extend(self.export.poll().into_iter().map(JobMessage::Exported));
        messages.extend(self.ask.poll().map(JobMessage::DialogClosed));
        WorkReport { messages, status: self.status() }
    }
}
