// Answers the queries `sx sy sz ex ey ez` of the standard input on the tile set in the file named by the argument.
// Prints a line of JSON for each query, with the corridor and the points of the path.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include "walkable_detour.hpp"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::string error;
    // Every shortened file is an error, never a crash.
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97) {
        if (walkable::loadNavMesh(bytes.data(), size, error)) {
            std::cerr << argv[1] << ": loaded from " << size << " of " << bytes.size() << " bytes\n";
            return 1;
        }
    }
    const auto mesh = walkable::loadNavMesh(bytes.data(), bytes.size(), error);
    if (!mesh) {
        std::cerr << argv[1] << ": " << error << "\n";
        return 1;
    }
    const auto query = walkable::makeQuery(*mesh);
    const dtQueryFilter filter;
    const float halfExtents[3] = {2, 4, 2};
    float q[6];
    while (std::cin >> q[0] >> q[1] >> q[2] >> q[3] >> q[4] >> q[5]) {
        const auto path = walkable::findPath(*query, q, q + 3, filter, halfExtents);
        std::printf("{\"complete\":%s,\"corridor\":[", path.complete ? "true" : "false");
        for (std::size_t i = 0; i < path.corridor.size(); ++i) {
            std::printf("%s%llu", i ? "," : "", static_cast<unsigned long long>(path.corridor[i]));
        }
        std::printf("],\"points\":[");
        for (std::size_t i = 0; i < path.points.size(); i += 3) {
            const float* p = &path.points[i];
            std::printf("%s[%.9g,%.9g,%.9g]", i ? "," : "", p[0], p[1], p[2]);
        }
        std::printf("]}\n");
    }
}
