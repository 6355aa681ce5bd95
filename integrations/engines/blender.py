"""Checks exported files in Blender without a window.

blender --background --factory-startup --python-exit-code 1 --python blender.py -- FOLDER

Blender must import every .glb, .obj and .ply of the folder with all of its triangles. For a .glb, the mesh must have the
materials of the file, and the level must be upright: Blender's z is the file's y.
"""

import json
import pathlib
import struct
import sys

import bpy
import numpy

# The glTF importer of Blender 3.4 needs this name, which newer versions of numpy in Debian do not have.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

# The mode of primitives of triangles in glTF.
TRIANGLES = 4


def document_of(file):
    """The JSON document of a binary glTF file."""
    data = file.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def of_glb(file):
    """Triangles, materials and highest point of a binary glTF file."""
    document = document_of(file)
    primitives = [one for mesh in document["meshes"] for one in mesh["primitives"]]
    faces = [one for one in primitives if one.get("mode", TRIANGLES) == TRIANGLES]
    accessors = document["accessors"]
    n_triangles = sum(accessors[one["indices"]]["count"] // 3 for one in faces)
    materials = {document["materials"][one["material"]]["name"] for one in faces}
    highest = max(accessors[one["attributes"]["POSITION"]]["max"][1] for one in faces) if faces else None
    return n_triangles, materials, highest


def of_text(file):
    """Triangles of an OBJ or PLY file; a polygon with n corners is n - 2."""
    lines = file.read_text().splitlines()
    if file.suffix == ".obj":
        return sum(line.startswith("f ") for line in lines)
    header, rows = lines[: lines.index("end_header")], lines[lines.index("end_header") + 1 :]
    count = {word[1]: int(word[2]) for word in map(str.split, header) if word[0] == "element"}
    faces = rows[count["vertex"] : count["vertex"] + count["face"]]
    return sum(int(row.split()[0]) - 2 for row in faces)


def imported(file):
    """Imports a file into an empty scene; returns its meshes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if file.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(file))
    elif file.suffix == ".obj":
        bpy.ops.wm.obj_import(filepath=str(file))
    else:
        bpy.ops.import_mesh.ply(filepath=str(file))
    return [one for one in bpy.data.objects if one.type == "MESH"]


def check(file):
    """Imports a file and compares it with what it contains."""
    objects = imported(file)
    meshes = [one.data for one in objects]
    n_triangles = sum(len(polygon.vertices) - 2 for mesh in meshes for polygon in mesh.polygons)
    if file.suffix != ".glb":
        expected = of_text(file)
        assert n_triangles == expected, f"{file.name}: {n_triangles} of {expected} triangles"
        print(f"{file.name}: {n_triangles} triangles")
        return
    expected, materials, highest = of_glb(file)
    assert n_triangles == expected, f"{file.name}: {n_triangles} of {expected} triangles"
    named = {one.name.rsplit(".", 1)[0] for mesh in meshes for one in mesh.materials}
    assert materials <= named, f"{file.name}: materials {named} without {materials - named}"
    if highest is not None:
        top = max((one.matrix_world @ v.co).z for one in objects for v in one.data.vertices)
        assert abs(top - highest) < 1e-3, f"{file.name}: highest point {top}, not {highest}"
    colored = sum(bool(mesh.color_attributes) for mesh in meshes)
    print(f"{file.name}: {n_triangles} triangles, {len(named)} materials, {colored} meshes with colors of vertices")


FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
for each in sorted(FOLDER.iterdir()):
    if each.suffix in (".glb", ".obj", ".ply"):
        check(each)
