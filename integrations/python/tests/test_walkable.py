"""Tests of the Python package: run by .ci/python, with the command-line program in WALKABLE for comparison."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import walkable

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAULTS = ROOT / "crates/cli/tests/data/faults"
PROGRAM = os.environ["WALKABLE"]

#: A floor of 20 m by 20 m.
VERTICES = np.array([[0, 0, 0], [0, 0, 20], [20, 0, 20], [20, 0, 0]], np.float32)
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)


def floor():
    return walkable.Level(VERTICES, TRIANGLES)


def fault(name):
    """Level, settings and truth of one of the levels with one fault each."""
    folder = FAULTS / name
    settings = walkable.Settings.parse((folder / "settings.cfg").read_text())
    return walkable.Level.read(folder / "level.obj"), settings, json.loads((folder / "truth.json").read_text())


def test_a_level_of_arrays_gives_its_arrays_back():
    level = floor()
    assert np.array_equal(level.vertices, VERTICES) and level.vertices.dtype == np.float32
    assert np.array_equal(level.triangles, TRIANGLES) and level.triangles.dtype == np.uint32
    assert level.warnings == []


PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
0 0 0
0 0 20
20 0 20
20 0 0
3 0 1 2
3 0 2 3
"""
FACET = "facet normal 0 1 0\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
STL = f"solid floor\n{FACET.format('0 0 0', '0 0 20', '20 0 20')}{FACET.format('0 0 0', '20 0 20', '20 0 0')}endsolid floor\n"


@pytest.mark.parametrize("format, text", [("ply", PLY), ("stl", STL)])
def test_ply_and_stl_files_are_read(format, text, tmp_path):
    (tmp_path / f"floor.{format.upper()}").write_text(text)
    expected = walkable.bake(floor()).to_bytes()
    for level in (walkable.Level.from_bytes(text.encode(), format), walkable.Level.read(tmp_path / f"floor.{format.upper()}")):
        corners = {tuple(corner) for corner in level.vertices[level.triangles].reshape(-1, 3).tolist()}
        assert corners == {tuple(corner) for corner in VERTICES.tolist()} and len(level.triangles) == 2
        assert walkable.bake(level).to_bytes() == expected
    turned = walkable.Level.from_bytes(text.encode(), format, up="z")
    assert np.ptp(turned.vertices[:, 1]) == 20


def test_import_options_convert_files():
    # In units of half a meter, clockwise, and with an object that is no collision shape.
    text = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\no UCX_floor\nf 3 2 1\nf 4 3 1\no table\nf 1 3 4\n"
    level = walkable.Level.from_bytes(text.encode(), "obj", scale=0.5, flip=True, collision_only=True)
    assert "collision" in str(level.warnings[0])
    assert len(level.triangles) == 2
    assert walkable.bake(level).to_bytes() == walkable.bake(floor()).to_bytes()
    mirrored = walkable.Level.from_bytes(text.encode(), "obj", mirror=True)
    assert mirrored.vertices[:, 2].min() == -40 and len(mirrored.triangles) == 3
    with pytest.raises(ValueError, match="scale"):
        walkable.Level.from_bytes(text.encode(), "obj", scale=-1.0)
    with pytest.raises(ValueError, match="origin"):
        walkable.Level.from_bytes(text.encode(), "obj", origin=(0.0, float("nan"), 0.0))
    far = "v 4000000.5 0 0\nv 4000000.5 0 20\nv 4000020.5 0 20\nv 4000020.5 0 0\nf 1 2 3\nf 1 3 4\n"
    moved = walkable.Level.from_bytes(far.encode(), "obj", origin=(4000000.5, 0, 0))
    assert walkable.bake(moved).to_bytes() == walkable.bake(floor()).to_bytes()


@pytest.mark.parametrize("name", sorted(path.name for path in FAULTS.iterdir()))
def test_bakes_have_the_bytes_of_the_program(name, tmp_path):
    level, settings, _ = fault(name)
    output = tmp_path / "out.bin"
    arguments = ["bake", FAULTS / name / "level.obj", "--settings", FAULTS / name / "settings.cfg", "-o", output]
    subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)
    navmesh = walkable.bake(level, settings)
    assert navmesh.to_bytes() == output.read_bytes()
    again = walkable.NavMesh.from_bytes(navmesh.to_bytes())
    assert (again.n_tiles, again.n_polygons) == (navmesh.n_tiles, navmesh.n_polygons)


def test_paths_are_those_of_the_program(tmp_path):
    level, settings = walkable.Level.generate("town", seed=3, size=80.0)
    navmesh = walkable.bake(level, settings)
    (tmp_path / "town.bin").write_bytes(navmesh.to_bytes())
    points = navmesh.random_points(20, seed=5)
    assert np.array_equal(points, navmesh.random_points(20, seed=5))
    n_complete = 0
    for start, end in zip(points[:10], points[10:]):
        path = navmesh.find_path(start, end)
        word = lambda point: ",".join(repr(float(c)) for c in point)
        arguments = ["path", tmp_path / "town.bin", f"--from={word(start)}", f"--to={word(end)}", "--json"]
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        expected = json.loads(run.stdout)
        assert path.status == expected["status"]
        assert np.allclose(path.points, np.array(expected["points"], np.float32).reshape(-1, 3))
        n_complete += path.status == "complete"
        shortest = navmesh.find_path(start, end, shortest=True)
        assert shortest.length <= path.length * 1.0001
    assert n_complete > 3


def test_queries():
    navmesh = walkable.bake(floor(), walkable.Settings(agent_radius=0.6))
    point, polygon = navmesh.nearest([10, 0.5, 10])
    assert np.allclose(point, [10, 0, 10], atol=0.5) and polygon in navmesh.find_path([2, 0, 2], [18, 0, 18]).corridor
    assert navmesh.nearest([100, 0, 100]) is None
    assert navmesh.raycast([10, 0, 10], [12, 0, 10])["t"] is None
    assert 0 < navmesh.raycast([10, 0, 10], [40, 0, 10])["t"] < 1
    assert navmesh.raycast([100, 0, 10], [40, 0, 10]) is None
    vertices, triangles = navmesh.ground()
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert 18.0**2 < area < 20.0**2
    assert navmesh.n_islands() == 1
    path = navmesh.find_path([2, 0, 2], [18, 0, 18], costs={0: 3.0})
    assert path.cost == pytest.approx(3 * navmesh.find_path([2, 0, 2], [18, 0, 18]).cost, rel=1e-4)
    assert navmesh.find_path([2, 0, 2], [18, 0, 18], exclude=0xFFFF).why == "start_filtered"


def test_links():
    vertices = np.concatenate([VERTICES, VERTICES + np.float32([30, 0, 0])])
    level = walkable.Level(vertices, np.concatenate([TRIANGLES, TRIANGLES + np.uint32(4)]))
    settings = walkable.Settings()
    assert walkable.bake(level, settings).find_path([2, 0, 2], [48, 0, 2]).status == "partial"
    settings.add_link([19, 0, 10], [31, 0, 10])
    assert walkable.bake(level, settings).find_path([2, 0, 2], [48, 0, 2]).status == "complete"
    assert "offmesh" in settings.to_text()


def test_settings():
    settings = walkable.Settings(agent_radius=0.4, tile_size=48, filter_ledge_spans=False, partition="monotone")
    assert settings["agent_radius"] == pytest.approx(0.4) and settings["tile_size"] == 48
    assert settings["filter_ledge_spans"] is False and settings["partition"] == "monotone"
    settings["origin"] = [1, 2, 3]
    assert settings["origin"] == [1, 2, 3]
    settings["origin"] = None
    assert settings["origin"] is None
    assert walkable.Settings.parse(settings.to_text()).to_text() == settings.to_text()
    assert settings.with_values(tile_size=64)["tile_size"] == 64 and settings["tile_size"] == 48
    assert "agent_radius=0.4" in repr(settings)
    assert set(walkable.Settings.keys()) > {"agent_radius", "cell_size"}


@pytest.mark.parametrize("name", ["place-step-kerb", "place-low-ceiling-duct", "place-too-steep-demo"])
def test_why_here_finds_the_cause_and_fixes_that_work(name):
    level, settings, truth = fault(name)
    answer = walkable.why_here(level, settings, truth["at"])
    assert not answer["walkable"]
    assert answer["chain"][0]["cause"] in [truth["cause"], *truth["accept"]]
    fix = next(fix for fix in answer["fixes"] if "set" in fix)
    better = settings.with_values(**fix["set"])
    assert walkable.why_here(level, better, truth["at"], fixes=False)["walkable"]


@pytest.mark.parametrize("name", ["path-step-sill", "path-narrow-door", "path-low-beam"])
def test_why_no_path_finds_the_cause_the_place_and_fixes_that_work(name):
    level, settings, truth = fault(name)
    answer = walkable.why_no_path(level, settings, truth["from"], truth["to"])
    assert answer["status"] != "complete"
    assert answer["first"]["cause"] in [truth["cause"], *truth["accept"]]
    fix = next(fix for fix in answer["fixes"] if "set" in fix)
    better = settings.with_values(**fix["set"])
    assert walkable.bake(level, better).find_path(truth["from"], truth["to"]).status == "complete"


def test_check_lists_findings():
    level, settings = walkable.Level.generate("town", seed=1, size=80.0)
    findings = walkable.bake(level, settings).check(level, settings)
    for found in findings:
        assert found.code and found.severity in ("note", "warning", "error") and found.text
        assert found.to_dict()["code"] == found.code


def test_exports():
    navmesh = walkable.bake(floor())
    assert navmesh.export("glb").startswith(b"glTF")
    json.loads(navmesh.export("json"))
    with pytest.raises(ValueError, match='unknown format "fbx"; there are '):
        navmesh.export("fbx")


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: walkable.Level.read("absent.obj"), FileNotFoundError, "absent.obj|No such file"),
        (lambda: walkable.Level.read("/dev/zero"), walkable.WalkableError, "is not a file"),
        (lambda: walkable.Level.from_bytes(b"v 1 2", "obj"), walkable.WalkableError, "line 1"),
        (lambda: walkable.Level.from_bytes(b"", "fbx"), ValueError, "unknown format \"fbx\"; there are obj, glb, gltf, ply, stl"),
        (lambda: walkable.Level.from_bytes(b"ply\nformat x 1.0\n", "ply"), walkable.WalkableError, "line 2"),
        (lambda: walkable.Level.from_bytes(b"solid\nfacet\n", "stl"), walkable.WalkableError, "line 2"),
        (lambda: walkable.Level(VERTICES[:, :2], TRIANGLES), ValueError, r"vertices must have the shape \(n, 3\)"),
        (lambda: walkable.Level(VERTICES, TRIANGLES + np.uint32(9)), walkable.WalkableError, "vertex"),
        (lambda: walkable.Level(VERTICES * np.float32(np.nan), TRIANGLES), walkable.WalkableError, "finite"),
        (lambda: walkable.Level.generate("moon"), walkable.WalkableError, "moon"),
        (lambda: walkable.Settings(agent_size=1), KeyError, "agent_size"),
        (lambda: walkable.Settings(agent_radius=-1), walkable.WalkableError, "agent_radius"),
        (lambda: walkable.Settings(agent_radius="wide"), TypeError, "str|float|number"),
        (lambda: walkable.Settings.parse("cell_size 0.3\nnonsense"), walkable.WalkableError, "line"),
        (lambda: walkable.NavMesh.from_bytes(b"nothing"), walkable.WalkableError, "byte|magic|tile set|MSET"),
        (lambda: walkable.bake(floor(), walkable.Settings(agent_height=0.3, agent_radius=30)), walkable.WalkableError, "nothing is walkable: of "),
        (lambda: walkable.bake(floor(), walkable.Settings(cell_size=0.01), max_memory_mb=1), walkable.WalkableError, "memory|MB"),
        (lambda: walkable.bake(floor()).find_path([float("nan"), 0, 0], [1, 0, 1]), walkable.WalkableError, "start is not valid"),
        (lambda: walkable.bake(floor()).find_path([1, 0, 1], [2, 0, 2], costs={64: 1}), ValueError, "no area 64"),
        (lambda: walkable.bake(floor()).find_path([1, 0, 1], [2, 0, 2], costs={0: -1}), ValueError, "not negative"),
    ],
)
def test_wrong_input_is_an_error(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_work_does_not_hold_the_lock_and_is_interrupted():
    level, settings = walkable.Level.generate("terrain", size=300.0)
    settings["cell_size"] = 0.1
    ticks = []
    is_over = threading.Event()

    def tick():
        while not is_over.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    # A shell starts programs in the background without a handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread.start()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            walkable.bake(level, settings, max_memory_mb=16000)
    finally:
        is_over.set()
        thread.join()
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert len(ticks) > 5
