// Loads the tiles that `walkable bake` and `walkable export` write (MSET) into stock Detour, and finds paths on them.
//
// Requires C++11 and Detour's headers. `docs/engines.md` describes the use, `test.cpp` is an example.

#ifndef WALKABLE_DETOUR_HPP
#define WALKABLE_DETOUR_HPP

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "DetourAlloc.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshQuery.h"

namespace walkable {

struct FreeNavMesh {
    void operator()(dtNavMesh* mesh) const { dtFreeNavMesh(mesh); }
};
using NavMeshPtr = std::unique_ptr<dtNavMesh, FreeNavMesh>;

struct FreeQuery {
    void operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }
};
using QueryPtr = std::unique_ptr<dtNavMeshQuery, FreeQuery>;

namespace detail {

constexpr std::size_t HEADER_SIZE = 40;
constexpr std::uint32_t SET_MAGIC = 0x4d534554;
constexpr std::uint32_t SET_VERSION = 1;
// The header has a reference, a size, and padding after references of 64 bits.
constexpr std::size_t TILE_HEADER_SIZE = sizeof(dtTileRef) == 8 ? 16 : 8;

template <typename T>
T read(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

}  // namespace detail

// Loads a set of tiles from `size` bytes at `data`, which may be freed after the call. Returns null and sets `error` if the
// bytes are not a set of tiles for this build of Detour.
//
// Detour trusts the contents of tiles: check files from unknown sources with `walkable check` first.
inline NavMeshPtr loadNavMesh(const void* data, std::size_t size, std::string& error) {
    using namespace detail;
    const auto* bytes = static_cast<const unsigned char*>(data);
    const auto fail = [&error](const char* why) {
        error = why;
        return NavMeshPtr();
    };
    if (size < HEADER_SIZE || read<std::uint32_t>(bytes) != SET_MAGIC) return fail("not a set of tiles (MSET)");
    if (read<std::uint32_t>(bytes + 4) != SET_VERSION) return fail("another version of the set of tiles");
    const auto nTiles = read<std::int32_t>(bytes + 8);
    dtNavMeshParams params;
    static_assert(sizeof(params) == 28, "the parameters have the layout of the file");
    std::memcpy(&params, bytes + 12, sizeof(params));
    NavMeshPtr mesh(dtAllocNavMesh());
    if (!mesh || dtStatusFailed(mesh->init(&params))) return fail("Detour cannot create a navmesh of this size");
    std::size_t at = HEADER_SIZE;
    for (std::int32_t tile = 0; tile < nTiles; ++tile) {
        if (size - at < TILE_HEADER_SIZE) return fail("the set of tiles ends too early");
        const auto reference = read<dtTileRef>(bytes + at);
        const auto length = read<std::int32_t>(bytes + at + sizeof(dtTileRef));
        at += TILE_HEADER_SIZE;
        if (length < 4 || size - at < static_cast<std::size_t>(length) ||
            read<std::uint32_t>(bytes + at) != static_cast<std::uint32_t>(DT_NAVMESH_MAGIC)) {
            return fail("a tile is damaged, or references have another width than DT_POLYREF64 sets");
        }
        auto* copy = static_cast<unsigned char*>(dtAlloc(static_cast<std::size_t>(length), DT_ALLOC_PERM));
        if (!copy) return fail("out of memory");
        std::memcpy(copy, bytes + at, static_cast<std::size_t>(length));
        if (dtStatusFailed(mesh->addTile(copy, length, DT_TILE_FREE_DATA, reference, nullptr))) {
            dtFree(copy);
            return fail("Detour refuses a tile");
        }
        at += static_cast<std::size_t>(length);
    }
    return mesh;
}

// Creates a query for up to `maxNodes` nodes per search; null if it cannot be created.
inline QueryPtr makeQuery(const dtNavMesh& mesh, int maxNodes = 4096) {
    QueryPtr query(dtAllocNavMeshQuery());
    if (query && dtStatusFailed(query->init(&mesh, maxNodes))) query.reset();
    return query;
}

struct Path {
    // Whether the path reaches the end; otherwise it leads to the reachable polygon nearest to the end.
    bool complete = false;
    std::vector<dtPolyRef> corridor;
    // x, y and z of each corner.
    std::vector<float> points;
};

// Finds a path between the polygons nearest to `start` and `end` within `halfExtents`. The corridor is empty if
// `start` or `end` has no polygon within `halfExtents`.
inline Path findPath(const dtNavMeshQuery& query, const float* start, const float* end,
                     const dtQueryFilter& filter, const float* halfExtents, int maxPolys = 4096) {
    Path path;
    dtPolyRef from = 0, to = 0;
    float nearStart[3], nearEnd[3];
    query.findNearestPoly(start, halfExtents, &filter, &from, nearStart);
    query.findNearestPoly(end, halfExtents, &filter, &to, nearEnd);
    if (!from || !to) return path;
    path.corridor.resize(static_cast<std::size_t>(maxPolys));
    int n = 0;
    query.findPath(from, to, nearStart, nearEnd, &filter, path.corridor.data(), &n, maxPolys);
    path.corridor.resize(static_cast<std::size_t>(n));
    if (n == 0) return path;
    path.complete = path.corridor.back() == to;
    float last[3] = {nearEnd[0], nearEnd[1], nearEnd[2]};
    if (!path.complete) query.closestPointOnPoly(path.corridor.back(), nearEnd, last, nullptr);
    path.points.resize(3 * static_cast<std::size_t>(maxPolys));
    int nPoints = 0;
    query.findStraightPath(nearStart, last, path.corridor.data(), n, path.points.data(), nullptr, nullptr,
                           &nPoints, maxPolys);
    path.points.resize(3 * static_cast<std::size_t>(nPoints));
    return path;
}

}  // namespace walkable

#endif
