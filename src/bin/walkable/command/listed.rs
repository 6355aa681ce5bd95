//! The commands that the palette and the keyboard offer.

use super::{Command, ExportKind, Pane, ToolKind};
use crate::session::{Method, ProbeMode, StageView};

/// Commands that need nothing more to be known, for the palette and the keyboard.
pub(crate) fn listed() -> Vec<Command> {
    let mut all = vec![
        Command::Open,
        Command::Save,
        Command::SaveAs,
        Command::ImportOptions,
        Command::Export(ExportKind::Navmesh),
        Command::Export(ExportKind::Obj),
        Command::Export(ExportKind::Report),
        Command::Export(ExportKind::Settings),
        Command::Export(ExportKind::Gset),
        Command::Undo,
        Command::Redo,
        Command::ResetSettings,
        Command::Bake,
        Command::CancelBake,
        Command::ToggleAutoBake,
        Command::NextStage,
        Command::PreviousStage,
        Command::PlayStages,
        Command::ChooseTile(None),
        Command::FrameAll,
        Command::TopView,
        Command::ToggleOrthographic,
        Command::ToggleGrid,
        Command::ToggleLevel,
        Command::ToggleBacks,
        Command::TogglePanels,
        Command::ToggleTheme,
        Command::ZoomIn,
        Command::ZoomOut,
        Command::ResetLayout,
        Command::SwapPath,
        Command::ClearPath,
        Command::PlaySearch,
        Command::ProposeLinks,
        Command::AcceptLinks(None),
        Command::DismissLinks,
        Command::RunLab,
        Command::KeepPath,
        Command::KeepView,
        Command::DeleteThing,
        Command::DuplicateThing,
        Command::Palette,
        Command::Back,
        Command::Quit,
    ];
    all.extend(ToolKind::ALL.map(Command::ChooseTool));
    all.extend(StageView::ALL.map(Command::ShowStage));
    all.extend(Method::ALL.map(Command::SearchBy));
    all.extend(ProbeMode::ALL.map(Command::ProbeBy));
    all.extend(Pane::PANELS.map(Command::ShowPanel));
    all
}
