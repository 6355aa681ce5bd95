// Tests the C interface: `test LEVEL.obj SETTINGS.cfg EXPECTED.bin`. EXPECTED.bin is the bake of the command line.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walkable.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, walkable_last_error());   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static char *read_file(const char *path, size_t *len) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  fseek(file, 0, SEEK_END);
  *len = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*len + 1);
  CHECK(data && fread(data, 1, *len, file) == *len);
  data[*len] = 0;
  fclose(file);
  return data;
}

static bool always(void *user) {
  *(volatile bool *)user = true;
  return true;
}

/// Checks that the bytes of a bake equal those of the command line.
static void test_bake(const char *level_path, const char *settings_path, const char *expected_path) {
  size_t n_level, n_text, n_expected;
  char *data = read_file(level_path, &n_level);
  char *text = read_file(settings_path, &n_text);
  char *expected = read_file(expected_path, &n_expected);
  WalkableLevel *level = walkable_level_read((const uint8_t *)data, n_level, "obj", NULL);
  CHECK(level);
  WalkableSettings *settings = walkable_settings_parse(text);
  CHECK(settings);
  WalkableNavMesh *navmesh = walkable_bake(level, settings, NULL);
  CHECK(navmesh && walkable_navmesh_n_polygons(navmesh) > 0);
  WalkableBytes bytes;
  CHECK(walkable_navmesh_write(navmesh, NULL, &bytes) == WALKABLE_STATUS_OK);
  CHECK(bytes.len == n_expected && memcmp(bytes.data, expected, n_expected) == 0);
  WalkableNavMesh *again = walkable_navmesh_read(bytes.data, bytes.len);
  CHECK(again && walkable_navmesh_n_polygons(again) == walkable_navmesh_n_polygons(navmesh));
  walkable_bytes_free(bytes);
  char *findings = walkable_navmesh_check(again, NULL);
  CHECK(findings && findings[0] == '[');
  walkable_string_free(findings);
  walkable_navmesh_free(again);
  walkable_navmesh_free(navmesh);
  walkable_settings_free(settings);
  walkable_level_free(level);
  free(expected);
  free(text);
  free(data);
}

/// Returns two floors of 20 m by 20 m, 5 m apart.
static WalkableLevel *two_floors(void) {
  const float vertices[] = {0,  0, 0, 0,  0, 20, 20, 0, 20, 20, 0, 0,
                            25, 0, 0, 25, 0, 20, 45, 0, 20, 45, 0, 0};
  const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  WalkableLevel *level = walkable_level_new(vertices, 8, triangles, 4);
  CHECK(level);
  return level;
}

static void test_queries(void) {
  const float start[] = {2, 0, 2}, end[] = {43, 0, 2}, near_end[] = {18, 0, 18}, far[] = {90, 0, 90};
  const float link_start[] = {19, 0, 10}, link_end[] = {26, 0, 10}, wall[] = {40, 0, 2};
  WalkableLevel *level = two_floors();
  WalkableSettings *settings = walkable_settings_new();
  CHECK(walkable_settings_set(settings, "agent_radius", "0.6") == WALKABLE_STATUS_OK);
  WalkableNavMesh *navmesh = walkable_bake(level, settings, NULL);
  WalkablePath path;
  CHECK(walkable_navmesh_find_path(navmesh, start, near_end, NULL, false, &path) == WALKABLE_STATUS_OK);
  CHECK(path.extent == WALKABLE_PATH_EXTENT_COMPLETE && path.n_points >= 2 && path.n_corridor >= 1);
  CHECK(fabsf(path.length - 16 * sqrtf(2)) < 0.1F && fabsf(path.points[0] - 2) < 0.1F);
  float cost = path.cost;
  walkable_path_free(&path);
  walkable_path_free(&path);
  WalkableQueryFilter filter = walkable_filter_default();
  filter.area_cost[0] = 3;
  CHECK(walkable_navmesh_find_path(navmesh, start, near_end, &filter, false, &path) == WALKABLE_STATUS_OK);
  CHECK(fabsf(path.cost - 3 * cost) < 0.1F);
  walkable_path_free(&path);
  CHECK(walkable_navmesh_find_path(navmesh, start, end, NULL, false, &path) == WALKABLE_STATUS_OK);
  CHECK(path.extent == WALKABLE_PATH_EXTENT_PARTIAL);
  walkable_path_free(&path);

  WalkableSurfacePoint point;
  CHECK(walkable_navmesh_nearest(navmesh, start, NULL, NULL, &point) == WALKABLE_STATUS_OK);
  CHECK(point.polygon != 0 && fabsf(point.point[0] - 2) < 0.1F);
  CHECK(walkable_navmesh_nearest(navmesh, far, NULL, NULL, &point) == WALKABLE_STATUS_NONE);
  WalkableRay ray;
  CHECK(walkable_navmesh_raycast(navmesh, start, near_end, NULL, &ray) == WALKABLE_STATUS_OK);
  CHECK(!ray.is_hit && ray.t == 1);
  CHECK(walkable_navmesh_raycast(navmesh, start, wall, NULL, &ray) == WALKABLE_STATUS_OK);
  CHECK(ray.is_hit && ray.t < 1 && fabsf(ray.normal[0] + 1) < 0.01F);
  WalkableBytes glb;
  CHECK(walkable_navmesh_write(navmesh, "glb", &glb) == WALKABLE_STATUS_OK);
  CHECK(glb.len > 4 && memcmp(glb.data, "glTF", 4) == 0);
  walkable_bytes_free(glb);
  walkable_navmesh_free(navmesh);

  char *why = walkable_why_no_path(level, settings, start, end, NULL, true, NULL);
  CHECK(why && strstr(why, "\"cause\":\"gap\"") && strstr(why, "\"status\":\"partial\""));
  walkable_string_free(why);
  why = walkable_why_here(level, settings, far, true, NULL);
  CHECK(why && strstr(why, "\"walkable\":false") && strstr(why, "outside_level"));
  walkable_string_free(why);

  CHECK(walkable_settings_add_link(settings, link_start, link_end, 0.6F, true, 5, 8, 1000) == WALKABLE_STATUS_OK);
  char *text = walkable_settings_to_text(settings);
  CHECK(text && strstr(text, "offmesh"));
  walkable_string_free(text);
  navmesh = walkable_bake(level, settings, NULL);
  CHECK(walkable_navmesh_find_path(navmesh, start, end, NULL, false, &path) == WALKABLE_STATUS_OK);
  CHECK(path.extent == WALKABLE_PATH_EXTENT_COMPLETE);
  walkable_path_free(&path);
  walkable_navmesh_free(navmesh);
  walkable_settings_free(settings);
  walkable_level_free(level);
}

static void expect_error(bool failed, const char *text) {
  CHECK(failed);
  if (!strstr(walkable_last_error(), text)) {
    fprintf(stderr, "expected an error with \"%s\": %s\n", text, walkable_last_error());
    exit(1);
  }
}

/// Bakes a level with default settings and frees it; returns the bytes.
static WalkableBytes bake_and_free(WalkableLevel *level) {
  CHECK(level);
  WalkableSettings *settings = walkable_settings_new();
  WalkableNavMesh *navmesh = walkable_bake(level, settings, NULL);
  CHECK(navmesh && walkable_navmesh_n_polygons(navmesh) > 0);
  WalkableBytes bytes;
  CHECK(walkable_navmesh_write(navmesh, NULL, &bytes) == WALKABLE_STATUS_OK);
  walkable_navmesh_free(navmesh);
  walkable_settings_free(settings);
  walkable_level_free(level);
  return bytes;
}

/// Checks that the same floor as OBJ, PLY and STL, and with import options, gives the same navmesh.
static void test_formats(void) {
  const char obj[] = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3\nf 1 3 4\n";
  const char ply[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                     "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                     "0 0 0\n0 0 9\n9 0 9\n9 0 0\n3 0 1 2\n3 0 2 3\n";
  const char stl[] = "solid floor\n"
                     "facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 0 9\nvertex 9 0 9\nendloop\nendfacet\n"
                     "facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 9 0 9\nvertex 9 0 0\nendloop\nendfacet\n"
                     "endsolid floor\n";
  WalkableBytes expected = bake_and_free(walkable_level_read((const uint8_t *)obj, sizeof obj - 1, "obj", NULL));
  WalkableBytes from_ply = bake_and_free(walkable_level_read((const uint8_t *)ply, sizeof ply - 1, "ply", NULL));
  WalkableBytes from_stl = bake_and_free(walkable_level_read((const uint8_t *)stl, sizeof stl - 1, "stl", NULL));
  CHECK(from_ply.len == expected.len && memcmp(from_ply.data, expected.data, expected.len) == 0);
  CHECK(from_stl.len == expected.len && memcmp(from_stl.data, expected.data, expected.len) == 0);
  // In units of half a meter, clockwise, and with an object that is no collision shape.
  const char other[] = "v 0 0 0\nv 0 0 18\nv 18 0 18\nv 18 0 0\no UCX_floor\nf 3 2 1\nf 4 3 1\no table\nf 1 3 4\n";
  const WalkableImport import = {.scale = 0.5f, .flip = true, .collision_only = true};
  WalkableBytes imported = bake_and_free(walkable_level_read((const uint8_t *)other, sizeof other - 1, "obj", &import));
  CHECK(imported.len == expected.len && memcmp(imported.data, expected.data, expected.len) == 0);
  walkable_bytes_free(imported);
  const char far[] = "v 4000000.5 0 0\nv 4000000.5 0 9\nv 4000009.5 0 9\nv 4000009.5 0 0\nf 1 2 3\nf 1 3 4\n";
  const WalkableImport moved = {.origin = {4000000.5, 0, 0}};
  imported = bake_and_free(walkable_level_read((const uint8_t *)far, sizeof far - 1, "obj", &moved));
  CHECK(imported.len == expected.len && memcmp(imported.data, expected.data, expected.len) == 0);
  walkable_bytes_free(imported);
  walkable_bytes_free(expected);
  walkable_bytes_free(from_ply);
  walkable_bytes_free(from_stl);
}

static void test_errors(void) {
  const float nowhere[] = {NAN, 0, 0}, somewhere[] = {1, 0, 1};
  const uint32_t outside[] = {0, 1, 9};
  WalkableLevel *level = two_floors();
  WalkableSettings *settings = walkable_settings_new();
  WalkableNavMesh *navmesh = walkable_bake(level, settings, NULL);
  WalkablePath path;
  expect_error(!walkable_level_new(NULL, 8, outside, 1), "vertices is NULL");
  expect_error(!walkable_level_new(somewhere, 1, outside, 1), "vertex");
  expect_error(!walkable_level_new(somewhere, SIZE_MAX, outside, 1), "too many");
  expect_error(!walkable_level_read((const uint8_t *)"v 1 2", 5, "obj", NULL), "line 1");
  expect_error(!walkable_level_read((const uint8_t *)"ply\nformat x 1.0\n", 17, "ply", NULL), "line 2");
  expect_error(!walkable_level_read(NULL, 3, "ply", NULL), "data is NULL");
  const WalkableImport negative = {.scale = -1};
  expect_error(!walkable_level_read((const uint8_t *)"v 1 2 3", 7, "obj", &negative), "scale is -1");
  expect_error(!walkable_level_read((const uint8_t *)"solid\nfacet\n", 12, "stl", NULL), "line 2");
  expect_error(!walkable_level_read((const uint8_t *)"", 0, "stl", NULL), "");
  expect_error(!walkable_level_read((const uint8_t *)"{}", 2, "gltf", NULL), "");
  expect_error(!walkable_level_read((const uint8_t *)"{}", 2, "fbx", NULL), "unknown format \"fbx\"");
  expect_error(!walkable_settings_parse("nonsense"), "line 1");
  expect_error(!walkable_settings_parse("\xff"), "content is not UTF-8");
  expect_error(walkable_settings_set(settings, "agent_size", "1") == WALKABLE_STATUS_ERROR, "agent_size");
  expect_error(walkable_settings_set(NULL, "agent_radius", "1") == WALKABLE_STATUS_ERROR, "settings is NULL");
  expect_error(!walkable_bake(NULL, settings, NULL), "level is NULL");
  expect_error(!walkable_navmesh_read((const uint8_t *)"MSET", 4), "");
  expect_error(walkable_navmesh_find_path(navmesh, nowhere, somewhere, NULL, false, &path) == WALKABLE_STATUS_ERROR,
               "the start is not valid");
  expect_error(walkable_navmesh_find_path(navmesh, somewhere, somewhere, NULL, false, NULL) == WALKABLE_STATUS_ERROR,
               "path is NULL");
  WalkableBytes bytes;
  expect_error(walkable_navmesh_write(navmesh, "fbx", &bytes) == WALKABLE_STATUS_ERROR, "unknown format \"fbx\"");
  bool was_asked = false;
  WalkableLimits limits = {0, always, &was_asked};
  expect_error(!walkable_bake(level, settings, &limits), "cancelled");
  CHECK(was_asked);
  WalkableLimits little = {1000, NULL, NULL};
  expect_error(!walkable_bake(level, settings, &little), "memory");
  CHECK(walkable_settings_set(settings, "agent_max_slope", "0") == WALKABLE_STATUS_OK);
  expect_error(!walkable_bake(level, settings, NULL), "nothing is walkable");
  walkable_navmesh_free(navmesh);
  walkable_navmesh_free(NULL);
  walkable_settings_free(settings);
  walkable_level_free(level);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  test_bake(argv[1], argv[2], argv[3]);
  test_queries();
  test_formats();
  test_errors();
  puts("all passed");
  return 0;
}
