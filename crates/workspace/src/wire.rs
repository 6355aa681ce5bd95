//! Serialization of what the library does not serialize completely, for messages from workers: texts with their
//! templates, so that the window translates them.

mod changes;
mod check;
mod soak;

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use glam::Vec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use walkable::{
    bake::{
        AreaTable, AreaVolume, BakeConfig, BakeSettings, JumpLimits, OffMeshLink, Param,
        ParamValue, RawArea, SurfaceRule, VolumeShape,
    },
    check::TileSizeRow,
    diagnostic::{ArgumentValue, Diagnostic, Phrase, PhraseArgument},
    explain::{
        Cause, Fix, LinkFix, Measure, NewSetting, Remedy, SearchTerm, SettingsFix, SideEffects,
    },
    geom::Aabb,
    query::{PathStatus, WhyNot},
    route::{RouteAnswer, RouteBreak},
    suite::{CaseFailure, CaseResult, Expectation},
    sweep::{SweepOutcome, SweepResult},
    tile_cache::Obstacle,
};

use crate::{
    document,
    tile_sizes::{SkippedTileSize, TileSizeAdvice},
};

/// Returns an equal text that lives as long as the program. Each text is stored once: there are only as many as the
/// program has templates and names.
fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.into());
    texts.insert(new);
    new
}

/// Returns the fields of a configuration that a bake reads, in a form that can be serialized.
pub fn config_to_fields(config: &BakeConfig) -> impl Serialize {
    let BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas, jumps: _ } = config;
    // Fields that are left out of JSON text cannot be left out of these bytes.
    let to_fields = |volume: &AreaVolume| (volume.area, volume.shape.clone(), volume.erode);
    let volumes: Vec<VolumeFields> = volumes.iter().map(to_fields).collect();
    (settings, volumes, off_mesh, surfaces, bounds, areas)
}

type VolumeFields = (RawArea, VolumeShape, bool);

pub type ConfigFields =
    (BakeSettings, Vec<VolumeFields>, Vec<OffMeshLink>, Vec<SurfaceRule>, Vec<Aabb>, AreaTable);

pub fn config_of_fields(fields: ConfigFields) -> BakeConfig {
    let (settings, volumes, off_mesh, surfaces, bounds, areas) = fields;
    let of_fields = |(area, shape, erode)| AreaVolume { area, shape, erode };
    let volumes = volumes.into_iter().map(of_fields).collect();
    let jumps = JumpLimits::default();
    BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas, jumps }
}

/// Obstacles on layers, in a form that can be serialized as JSON.
pub type ObstaclesForm = Option<Vec<document::Obstacle>>;

/// Returns the form of `obstacles`.
pub fn obstacles_to_form(obstacles: Option<&[Obstacle]>) -> ObstaclesForm {
    obstacles.map(|list| list.iter().map(document::Obstacle::of_layers).collect())
}

pub fn obstacles_of_form(form: ObstaclesForm) -> Option<Vec<Obstacle>> {
    form.map(|list| list.iter().map(document::Obstacle::on_layers).collect())
}

/// A value of a type with a form that can be serialized.
trait Formed: Clone + Sized {
    type Form: Serialize + for<'de> Deserialize<'de>;

    fn to_form(&self) -> Self::Form;

    /// Returns the value, or `None` if the form is damaged.
    fn of_form(form: Self::Form) -> Option<Self>;
}

impl<T: Formed> Formed for Option<T> {
    type Form = Option<T::Form>;

    fn to_form(&self) -> Self::Form {
        self.as_ref().map(T::to_form)
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        form.map_or(Some(None), |form| T::of_form(form).map(Some))
    }
}

impl<T: Formed> Formed for Box<T> {
    type Form = T::Form;

    fn to_form(&self) -> Self::Form {
        T::to_form(self)
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        T::of_form(form).map(Self::new)
    }
}

impl<T: Formed> Formed for Result<T, String> {
    type Form = Result<T::Form, String>;

    fn to_form(&self) -> Self::Form {
        self.as_ref().map(T::to_form).map_err(Clone::clone)
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        Some(match form {
            Ok(form) => Ok(T::of_form(form)?),
            Err(why) => Err(why),
        })
    }
}

impl<T: Formed> Formed for Vec<T> {
    type Form = Vec<T::Form>;

    fn to_form(&self) -> Self::Form {
        self.iter().map(T::to_form).collect()
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        form.into_iter().map(T::of_form).collect()
    }
}

/// For `#[serde(with = "wire::formed")]`.
pub mod formed {
    use super::{Deserialize as _, Deserializer, Formed, Serialize as _, Serializer};

    #[expect(private_bounds, reason = "the forms are details")]
    pub fn serialize<T: Formed, S: Serializer>(of: &T, to: S) -> Result<S::Ok, S::Error> {
        of.to_form().serialize(to)
    }

    #[expect(private_bounds, reason = "the forms are details")]
    pub fn deserialize<'de, T: Formed, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::of_form(T::Form::deserialize(from)?)
            .ok_or_else(|| serde::de::Error::custom("a form is damaged"))
    }
}

/// For `#[serde(with = "wire::as_json")]`: types whose fields may be left out, for formats that do not name fields.
pub mod as_json {
    use serde::de::DeserializeOwned;

    use super::{Deserialize as _, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(of: &T, to: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(of).map_err(serde::ser::Error::custom)?.serialize(to)
    }

    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        let text = String::deserialize(from)?;
        serde_json::from_str(&text).map_err(serde::de::Error::custom)
    }
}

/// For `#[serde(with = "wire::shared")]`.
pub mod shared {
    use std::sync::Arc;

    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(of: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
        (**of).serialize(to)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}

/// Template and arguments.
#[derive(Serialize, Deserialize)]
struct PhraseForm(String, Vec<(String, ValueForm)>);

#[derive(Serialize, Deserialize)]
enum ValueForm {
    Text(String),
    Quantity(f32, String, String),
    Phrase(PhraseForm),
    Within(PhraseForm),
    Count(usize, String, String),
    /// As [`Diagnostic::store`] writes it.
    Diagnostic(Vec<u8>),
}

impl Formed for Phrase {
    type Form = PhraseForm;

    fn to_form(&self) -> PhraseForm {
        let argument = |argument: &PhraseArgument| {
            let value = match &argument.value {
                ArgumentValue::Text(text) => ValueForm::Text(text.clone()),
                ArgumentValue::Quantity { value, unit, text } => {
                    ValueForm::Quantity(*value, (*unit).to_owned(), text.clone())
                }
                ArgumentValue::Phrase(part) => ValueForm::Phrase(part.to_form()),
                ArgumentValue::Within(part) => ValueForm::Within(part.to_form()),
                ArgumentValue::Count { n, one, many } => {
                    ValueForm::Count(*n, (*one).to_owned(), (*many).to_owned())
                }
                ArgumentValue::Diagnostic(found) => {
                    let mut bytes = Vec::new();
                    if found.store(&mut bytes) {
                        ValueForm::Diagnostic(bytes)
                    } else {
                        ValueForm::Text(found.to_string())
                    }
                }
            };
            (argument.name.to_owned(), value)
        };
        let arguments = self.arguments().iter().map(argument).collect();
        PhraseForm(self.template().to_owned(), arguments)
    }

    fn of_form(PhraseForm(template, arguments): PhraseForm) -> Option<Self> {
        let argument = |(name, value): (String, ValueForm)| {
            let value = match value {
                ValueForm::Text(text) => ArgumentValue::Text(text),
                ValueForm::Quantity(value, unit, text) => {
                    ArgumentValue::Quantity { value, unit: interned(&unit), text }
                }
                ValueForm::Phrase(part) => ArgumentValue::Phrase(Self::of_form(part)?),
                ValueForm::Within(part) => ArgumentValue::Within(Self::of_form(part)?),
                ValueForm::Count(n, one, many) => {
                    ArgumentValue::Count { n, one: interned(&one), many: interned(&many) }
                }
                ValueForm::Diagnostic(bytes) => Diagnostic::restore(&mut &*bytes)?.into(),
            };
            Some(PhraseArgument { name: interned(&name), value })
        };
        let arguments: Option<_> = arguments.into_iter().map(argument).collect();
        Some(Self::new(interned(&template), arguments?))
    }
}

impl Formed for SweepOutcome {
    type Form = Result<SweepResult, PhraseForm>;

    fn to_form(&self) -> Self::Form {
        match self {
            Self::Measured(result) => Ok(*result),
            Self::Failed(why) => Err(why.to_form()),
        }
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        Some(match form {
            Ok(result) => Self::Measured(result),
            Err(why) => Self::Failed(Phrase::of_form(why)?),
        })
    }
}

impl Formed for TileSizeAdvice {
    /// The tile sizes and the number of threads, the rows, and the tile sizes that were not measured.
    type Form = ((u32, Option<u32>, usize), Vec<TileSizeRow>, Vec<(u32, PhraseForm)>);

    fn to_form(&self) -> Self::Form {
        let Self { current, best, n_threads, rows, skipped } = self;
        let skipped = skipped.iter().map(|one| (one.tile_size, one.why.to_form()));
        ((*current, *best, *n_threads), rows.clone(), skipped.collect())
    }

    fn of_form(((current, best, n_threads), rows, skipped): Self::Form) -> Option<Self> {
        let skipped = skipped.into_iter().map(|(tile_size, why)| {
            Some(SkippedTileSize { tile_size, why: Phrase::of_form(why)? })
        });
        let skipped: Option<_> = skipped.collect();
        Some(Self { current, best, n_threads, rows, skipped: skipped? })
    }
}

impl Formed for CaseFailure {
    /// The expectation as JSON, the other fields in order.
    type Form = (String, Option<f32>, Option<f32>, Option<Vec3>, PhraseForm);

    fn to_form(&self) -> Self::Form {
        let Self { expectation, measured, limit, at, text } = self;
        let expectation = serde_json::to_string(expectation).unwrap_or_default();
        (expectation, *measured, *limit, *at, text.to_form())
    }

    fn of_form((expectation, measured, limit, at, text): Self::Form) -> Option<Self> {
        let expectation: Expectation = serde_json::from_str(&expectation).ok()?;
        Some(Self { expectation, measured, limit, at, text: Phrase::of_form(text)? })
    }
}

impl Formed for CaseResult {
    type Form = (PathStatus, Option<WhyNot>, f32, f32, Vec<<CaseFailure as Formed>::Form>);

    fn to_form(&self) -> Self::Form {
        let Self { status, why, length, cost, failures } = self;
        (*status, *why, *length, *cost, failures.to_form())
    }

    fn of_form((status, why, length, cost, failures): Self::Form) -> Option<Self> {
        Some(Self { status, why, length, cost, failures: Vec::of_form(failures)? })
    }
}

impl Formed for Measure {
    type Form = (Option<f32>, Option<f32>, String);

    fn to_form(&self) -> Self::Form {
        (self.measured, self.limit, self.unit.to_owned())
    }

    fn of_form((measured, limit, unit): Self::Form) -> Option<Self> {
        Some(Self { measured, limit, unit: interned(&unit) })
    }
}

impl Formed for Remedy {
    type Form = (String, Vec<ParamValue>);

    fn to_form(&self) -> Self::Form {
        (self.key.to_owned(), self.values.clone())
    }

    fn of_form((key, values): Self::Form) -> Option<Self> {
        Some(Self { key: Param::find(&key).ok()?.key, values })
    }
}

/// A fix; settings as keys and values.
#[derive(Serialize, Deserialize)]
enum FixForm {
    Settings(Vec<(String, ParamValue)>, SideEffects),
    Link(LinkFix),
    Terms(Vec<SearchTerm>),
    Geometry(PhraseForm),
}

impl Formed for Fix {
    type Form = FixForm;

    fn to_form(&self) -> FixForm {
        match self {
            Self::Settings(SettingsFix { set, side_effects }) => {
                let set = set.iter().map(|new| (new.key.to_owned(), new.value));
                FixForm::Settings(set.collect(), *side_effects)
            }
            Self::Link(link) => FixForm::Link(*link),
            Self::Terms(terms) => FixForm::Terms(terms.clone()),
            Self::Geometry(words) => FixForm::Geometry(words.to_form()),
        }
    }

    fn of_form(form: FixForm) -> Option<Self> {
        Some(match form {
            FixForm::Settings(set, side_effects) => {
                let setting = |(key, value): (String, _)| {
                    Some(NewSetting { key: Param::find(&key).ok()?.key, value })
                };
                let set: Option<_> = set.into_iter().map(setting).collect();
                Self::Settings(SettingsFix { set: set?, side_effects })
            }
            FixForm::Link(link) => Self::Link(link),
            FixForm::Terms(terms) => Self::Terms(terms),
            FixForm::Geometry(words) => Self::Geometry(Phrase::of_form(words)?),
        })
    }
}

impl Formed for RouteBreak {
    /// The fields, except for the texts, which are last.
    type Form = (
        (Cause, Vec3, [Vec3; 2], f32, Vec<SearchTerm>),
        (<Option<Measure> as Formed>::Form, <Vec<Remedy> as Formed>::Form),
        (PhraseForm, Option<PhraseForm>),
    );

    fn to_form(&self) -> Self::Form {
        let Self { cause, place, measure, text, advice, ends, price, remedies, terms } = self;
        (
            (*cause, *place, *ends, *price, terms.clone()),
            (measure.to_form(), remedies.to_form()),
            (text.to_form(), advice.to_form()),
        )
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        let ((cause, place, ends, price, terms), (measure, remedies), (text, advice)) = form;
        let (measure, remedies) = (Option::of_form(measure)?, Vec::of_form(remedies)?);
        let (text, advice) = (Phrase::of_form(text)?, Option::of_form(advice)?);
        Some(Self { cause, place, measure, text, advice, ends, price, remedies, terms })
    }
}

impl Formed for RouteAnswer {
    type Form = (
        Option<<RouteBreak as Formed>::Form>,
        [Vec<<RouteBreak as Formed>::Form>; 2],
        [Option<PhraseForm>; 2],
    );

    fn to_form(&self) -> Self::Form {
        let Self { first, also, others, detour, unknown } = self;
        let lists = [also, others].map(Vec::to_form);
        (first.to_form(), lists, [detour, unknown].map(Option::to_form))
    }

    fn of_form((first, [also, others], [detour, unknown]): Self::Form) -> Option<Self> {
        Some(Self {
            first: Option::of_form(first)?,
            also: Vec::of_form(also)?,
            others: Vec::of_form(others)?,
            detour: Option::of_form(detour)?,
            unknown: Option::of_form(unknown)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::{Finding, Location, Meters};

    use super::*;
    use crate::format::counted_value;

    #[test]
    fn phrases_keep_the_values_of_their_arguments() {
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let argument = |name, value: ArgumentValue| PhraseArgument { name, value };
        let arguments = vec![
            argument("path", "a".into()),
            argument("tiles", counted_value(3, "tile", "tiles")),
            argument("room", Meters(2.0).into()),
            argument("text", Phrase::verbatim("b").into()),
            argument("found", found.at(Location::Line(3)).times(2).into()),
        ];
        let phrase = Phrase::new("{path}: {tiles}, {room}, {text}, {found}", arguments);
        let bytes = serde_json::to_vec(&phrase.to_form()).unwrap();
        let restored = Phrase::of_form(serde_json::from_slice(&bytes).unwrap());
        assert_eq!(restored, Some(phrase));
    }
}
