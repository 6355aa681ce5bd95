//! Slurm: an array job and a merge job that depends on it.

use std::path::absolute;

use anyhow::Context as _;
use clap::Args;

use super::{FarmArgs, FarmFiles, MAX_RESTARTS};
use crate::guard::InputFile;

/// The program, unless the environment names another.
const PROGRAM: &str = "\"${WALKABLE:-walkable}\"";

/// Arguments of `walkable farm slurm`.
#[derive(Args, Debug)]
pub(crate) struct SlurmArgs {
    #[command(flatten)]
    farm: FarmArgs,
}

impl SlurmArgs {
    pub(super) fn files(&self) -> anyhow::Result<(&FarmArgs, FarmFiles)> {
        let farm = &self.farm;
        // The tasks run in the output folder.
        let found = |path: &InputFile| -> anyhow::Result<InputFile> {
            if path.as_os_str().as_encoded_bytes().starts_with(b"builtin:") {
                return Ok(path.clone());
            }
            let found =
                absolute(&**path).with_context(|| format!("cannot find {}", path.display()));
            Ok(InputFile(found?))
        };
        let (level, settings) =
            (found(&farm.level)?, farm.settings.as_ref().map(found).transpose()?);
        let tasks = FarmArgs {
            level,
            settings,
            output: farm.output.clone(),
            result: farm.result.clone(),
            sets: farm.sets.clone(),
            ..*farm
        };
        let files = vec![
            ("bake.sbatch", bake_job(&tasks)?),
            ("merge.sbatch", merge_job(&tasks)),
            ("submit.sh", SUBMIT.to_owned()),
        ];
        Ok((farm, files))
    }
}

fn resources(FarmArgs { cpus, memory, time, .. }: &FarmArgs) -> String {
    let (megabytes, minutes) = (memory.div_ceil(1 << 20), time.div_ceil(60));
    format!(
        "#SBATCH --cpus-per-task={cpus}\n\
         #SBATCH --mem={megabytes}M\n\
         #SBATCH --time={minutes}\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append"
    )
}

fn bake_job(args: &FarmArgs) -> anyhow::Result<String> {
    let (resources, shards) = (resources(args), args.shards);
    let bake = args.bake_command(PROGRAM, "$SLURM_ARRAY_TASK_ID")?;
    Ok(format!(
        r#"#!/bin/bash
#SBATCH --job-name=walkable-bake
#SBATCH --array=1-{shards}
#SBATCH --output=logs/bake-%a.log
{resources}
{bake}
code=$?
# A task that was killed starts again, with the tiles in the cache. Slurm itself does that if a node fails.
if [ "$code" -gt 128 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {MAX_RESTARTS} ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID" && sleep 60
fi
exit "$code"
"#
    ))
}

fn merge_job(args: &FarmArgs) -> String {
    let (resources, merge) = (resources(args), args.merge_command(PROGRAM));
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=walkable-merge\n\
         #SBATCH --output=logs/merge.log\n\
         {resources}\n\
         {merge}\n"
    )
}

pub(super) const SUBMIT_TITLE: &str = "# Submits the bake and the merge; ";

/// Submits both jobs, with its arguments as further options, and prints their numbers.
const SUBMIT: &str = r#"#!/bin/bash
# Submits the bake and the merge; arguments are passed to sbatch, such as --partition=long.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p parts logs cache
bake=$(sbatch --parsable "$@" bake.sbatch)
merge=$(sbatch --parsable "$@" --dependency="afterok:$bake" --kill-on-invalid-dep=yes merge.sbatch)
echo "bake $bake"
echo "merge $merge"
"#;
