"""Bake and query Recast/Detour navigation meshes, and find out why an agent cannot walk somewhere.

Coordinates are in meters, y up, right-handed. Points are sequences of three numbers; arrays of points have the shape (n, 3).
Long work runs on all cores without the interpreter's lock, and Ctrl-C cancels it.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__version__: str

Point = Sequence[float]

class WalkableError(Exception):
    """The reason why a level, settings or a navmesh cannot be used."""

class Level:
    """The triangles of a level. They are counterclockwise seen from the side on which agents walk."""

    def __init__(self, vertices: NDArray[np.float32], triangles: NDArray[np.uint32]) -> None:
        """Creates a level of vertices (shape (n, 3)) and the indices of the triangles' corners (shape (m, 3))."""
    @staticmethod
    def read(
        path: str | PathLike[str],
        *,
        up: Literal["y", "z"] = "y",
        scale: float = 1.0,
        mirror: bool = False,
        flip: bool = False,
        collision_only: bool = False,
        origin: tuple[float, float, float] = (0, 0, 0),
    ) -> Level:
        """Reads an OBJ, PLY, STL, glTF or GLB file of at most 512 MiB, and the files that a glTF file references in its
        folder.

        `scale` is the number of meters per unit of the file. `mirror` is for left-handed files: z is negated, and faces keep
        their front side. `flip` reverses the winding of faces. With `collision_only`, only collision shapes are used, if the
        level has any, by the names of objects: `-col`, `UCX_`. `origin` is the position in the file, in its unit and axes,
        that becomes the origin of the level: for levels far from the origin.
        """
    @staticmethod
    def from_bytes(
        data: bytes,
        format: Literal["obj", "ply", "stl", "gltf", "glb"],
        *,
        up: Literal["y", "z"] = "y",
        scale: float = 1.0,
        mirror: bool = False,
        flip: bool = False,
        collision_only: bool = False,
        origin: tuple[float, float, float] = (0, 0, 0),
    ) -> Level:
        """Reads the contents of an OBJ, PLY or STL file, or of a glTF file that references no other files. The options are
        those of `read`."""
    @staticmethod
    def generate(kind: str, *, seed: int = 1, size: float = 60.0) -> tuple[Level, Settings]:
        """Generates a level with sides of about `size` meters, and settings that suit it.

        Kinds: `sample`, `terrain`, `town`, `maze` and others; an unknown kind is an error that lists them.
        """
    @property
    def vertices(self) -> NDArray[np.float32]: ...
    @property
    def triangles(self) -> NDArray[np.uint32]: ...
    @property
    def warnings(self) -> list[Diagnostic]:
        """Warnings about the file, such as faces that were left out."""

class Settings:
    """The settings of a bake, by the names that settings files and `walkable bake --set` use.

    >>> settings = Settings(agent_radius=0.4, tile_size=48)
    >>> settings["agent_max_climb"] = 0.5
    """

    def __init__(self, **values: float | bool | str | Point | None) -> None: ...
    @staticmethod
    def parse(text: str) -> Settings:
        """Parses a settings file: settings, areas, volumes, off-mesh links and surface rules."""
    @staticmethod
    def keys() -> list[str]:
        """Returns the names of all settings."""
    def to_text(self) -> str:
        """Returns the text of a settings file that `parse` reads."""
    def with_values(self, **values: float | bool | str | Point | None) -> Settings:
        """Returns a copy with other values."""
    def add_link(
        self,
        start: Point,
        end: Point,
        *,
        radius: float = 0.6,
        bidirectional: bool = True,
        area: int = 5,
        flags: int = 8,
    ) -> None:
        """Adds an off-mesh link: a jump, drop, ladder or door. `radius` is the maximum distance of its ends from the
        ground, in meters."""
    def __getitem__(self, key: str) -> float | int | bool | str | list[float] | None: ...
    def __setitem__(self, key: str, value: float | bool | str | Point | None) -> None: ...

def bake(level: Level, settings: Settings | None = None, *, max_memory_mb: int = 1000) -> NavMesh:
    """Bakes all tiles of a level on all cores.

    A bake that is estimated to need more than `max_memory_mb` megabytes is an error before it starts.
    """

class NavMesh:
    """Linked tiles. A navmesh does not change, and threads can share it."""

    @staticmethod
    def from_bytes(data: bytes) -> NavMesh:
        """Reads a tile set (MSET), as RecastDemo and `walkable bake` write it."""
    def to_bytes(self) -> bytes:
        """Returns the tile set (MSET)."""
    def export(self, format: str) -> bytes:
        """Returns the contents of a file in another format, by its name on the command line or its file
        ending, such as `glb`."""
    def find_path(
        self,
        start: Point,
        end: Point,
        *,
        costs: Mapping[int, float] | None = None,
        include: int = 0xFFFF,
        exclude: int = 0,
        shortest: bool = False,
        max_nodes: int = 65535,
    ) -> Path:
        """Finds a path by A* and string pulling, as Detour does.

        `costs` are the costs per meter by area; other areas cost 1. A polygon needs one of the flags `include` and none
        of the flags `exclude`. With `shortest`, finds the shortest path (Polyanya) on ground of equal cost.
        """
    def nearest(self, point: Point, *, half_extents: Point = (2.0, 4.0, 2.0)) -> tuple[list[float], int] | None:
        """Returns the nearest point of the navmesh and the reference of its polygon; `None` if no polygon is within
        `half_extents`."""
    def raycast(self, start: Point, end: Point) -> dict[str, Any] | None:
        """Walks straight from `start` toward `end`, seen from above; `None` if the start is off the navmesh.

        Keys: `t` (fraction that can be walked, `None` if all can), `normal` of the wall, `cost`, `visited` polygons.
        """
    def random_points(self, n: int, *, seed: int = 1) -> NDArray[np.float32]:
        """Returns random points of the ground, evenly distributed over its area; the same points for the same seed."""
    def ground(self) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
        """Returns the detail triangles of the ground: vertices, three per triangle, and indices."""
    def n_islands(self) -> int:
        """Returns the number of islands: parts without links to other parts."""
    @property
    def n_tiles(self) -> int: ...
    @property
    def n_polygons(self) -> int: ...
    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The lowest and the highest corner of its bounding box."""
    def check(
        self, level: Level | None = None, settings: Settings | None = None, *, max_memory_mb: int = 1000
    ) -> list[Diagnostic]:
        """Finds faults: gaps between tiles, needles, unconnected links, islands. With the level and the settings of the
        bake, also compares the surface with the level."""

class Path:
    """The result of a path search."""

    @property
    def status(self) -> Literal["complete", "partial", "unreachable"]: ...
    @property
    def why(self) -> str | None:
        """The reason if the path is not complete, such as `disconnected`."""
    @property
    def points(self) -> NDArray[np.float32]:
        """The corners of the path."""
    @property
    def corridor(self) -> list[int]:
        """References of the polygons to pass."""
    @property
    def length(self) -> float:
        """Length of the path, in meters."""
    @property
    def cost(self) -> float:
        """Cost of the corridor."""
    @property
    def n_expanded(self) -> int:
        """Number of nodes taken from the open list."""

class Diagnostic:
    """A finding about a level, a bake or a navmesh; docs/diagnostics.md explains each code."""

    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> Literal["note", "warning", "error"]: ...
    @property
    def text(self) -> str:
        """The finding, without its locations."""
    @property
    def locations(self) -> list[str]:
        """Locations, from the outermost to the innermost."""
    @property
    def count(self) -> int:
        """Number of findings that this one stands for."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the finding as printed by `walkable … --json`."""

def why_here(
    level: Level, settings: Settings, at: Point, *, fixes: bool = True, max_memory_mb: int = 1000
) -> dict[str, Any]:
    """Explains why an agent cannot stand at a place, and finds settings that fix it, each verified by a bake.

    Keys: `walkable`; `chain`, the first cause and the causes that would apply after it, each with `cause`, `stage`,
    `measured`, `limit`, `unit` and `text`; `fixes`, the smallest side effects first; `fixes_cut_short`.
    """

def why_no_path(
    level: Level,
    settings: Settings,
    start: Point,
    end: Point,
    *,
    costs: Mapping[int, float] | None = None,
    include: int = 0xFFFF,
    exclude: int = 0,
    fixes: bool = True,
    max_memory_mb: int = 1000,
) -> dict[str, Any]:
    """Explains why no path leads from `start` to `end`, and finds fixes.

    Keys: `status`; `first`, the obstacle, with `cause`, `where`, `measured`, `limit`, `unit`, `text` and `advice`; `also`,
    further obstacles on the same crossing; `crossings`, the obstacles on other crossings; `detour`; `unknown`; `fixes`;
    `fixes_cut_short`.
    """
