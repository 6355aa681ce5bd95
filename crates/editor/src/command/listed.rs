//! The commands that the palette and the keyboard offer.

use super::{
    AgentCommand, AnimationCommand, Command, DisplayCommand, ExportKind, FixCommand, GroundCommand,
    KeysCommand, LabCommand, Pane, PathCommand, ProposalCommand, QueryCommand, ThingCommand,
    TourCommand, ViewCommand,
};
use crate::session::ToolKind;

/// The commands that need no arguments, for the palette and the keyboard.
pub fn listed() -> Vec<Command> {
    let mut all = vec![
        Command::Open,
        Command::Save,
        Command::SaveAs,
        Command::ImportOptions,
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
    all.extend(ExportKind::offered().map(Command::Export));
    all.extend(ToolKind::ALL.iter().copied().map(Command::ChooseTool));
    all.extend(ViewCommand::listed());
    all.extend(DisplayCommand::listed());
    all.extend(AnimationCommand::listed());
    all.extend(ThingCommand::listed());
    all.extend(AgentCommand::listed());
    all.extend(GroundCommand::listed());
    all.extend(PathCommand::listed());
    all.extend(QueryCommand::listed());
    all.extend(ProposalCommand::listed());
    all.extend(FixCommand::listed());
    all.extend(LabCommand::listed());
    all.extend(KeysCommand::listed());
    all.extend(TourCommand::listed());
    all.extend(Pane::panels().map(Command::ShowPanel));
    all
}
