//! The commands that the palette and the keyboard offer.

use super::{
    AgentCommand, Command, ExportKind, FilmCommand, GroundCommand, KeysCommand, LabCommand, Pane,
    PathCommand, ProbeCommand, ProposalCommand, SightCommand, ThingCommand, TourCommand,
    ViewCommand,
};
use crate::session::ToolKind;

/// Commands that need nothing more to be known, for the palette and the keyboard.
pub fn listed() -> Vec<Command> {
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
        Command::Export(ExportKind::Layers),
        Command::Undo,
        Command::Redo,
        Command::ResetSettings,
        Command::Bake,
        Command::CancelBake,
        Command::ToggleAutoBake,
        Command::TogglePanels,
        Command::ToggleTheme,
        Command::ZoomIn,
        Command::ZoomOut,
        Command::ResetLayout,
        Command::Palette,
        Command::Back,
        Command::Quit,
    ];
    all.extend(ToolKind::ALL.map(Command::ChooseTool));
    all.extend(ViewCommand::listed());
    all.extend(SightCommand::listed());
    all.extend(FilmCommand::listed());
    all.extend(ThingCommand::listed());
    all.extend(AgentCommand::listed());
    all.extend(GroundCommand::listed());
    all.extend(PathCommand::listed());
    all.extend(ProbeCommand::listed());
    all.extend(ProposalCommand::listed());
    all.extend(LabCommand::listed());
    all.extend(KeysCommand::listed());
    all.extend(TourCommand::listed());
    all.extend(Pane::PANELS.map(Command::ShowPanel));
    all
}
