// Reads the files of `walkable bake` in C# 7 without dependencies: for Unity, Godot and .NET.
//
//     TileSet set = TileSet.Read(File.ReadAllBytes("level.bin"));
//     foreach (Tile tile in set.Tiles)
//         foreach (Polygon polygon in tile.Polygons) { ... }
//
// This file draws and inspects navmeshes. To find paths, load the same bytes with DotRecast, see README.md.

using System;
using System.Collections.Generic;
using System.IO;

namespace Walkable
{
    /// <summary>A position in meters, with y up, in right-handed coordinates. Unity's have the opposite z.</summary>
    public struct Point
    {
        public readonly float X, Y, Z;

        public Point(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }
    }

    /// <summary>A convex polygon of the ground, or an off-mesh link with two vertices.</summary>
    public sealed class Polygon
    {
        /// <summary>Indices in the vertices of the tile, clockwise seen from above.</summary>
        public ushort[] Vertices { get; internal set; }

        /// <summary>
        /// For each edge: 0 without a neighbor, the index of a polygon of the same tile plus one, or 0x8000 plus the side of
        /// the tile.
        /// </summary>
        public ushort[] Neighbors { get; internal set; }

        public ushort Flags { get; internal set; }
        public byte Area { get; internal set; }
        public bool IsOffMeshLink { get; internal set; }

        /// <summary>
        /// Triangles of the detail surface, counter-clockwise seen from above: three indices in <see cref="Vertices"/> and,
        /// after these, in <see cref="DetailVertices"/>.
        /// </summary>
        public byte[][] DetailTriangles { get; internal set; }

        public Point[] DetailVertices { get; internal set; }
    }

    /// <summary>A jump, ladder or door between two places.</summary>
    public sealed class OffMeshLink
    {
        public Point Start { get; internal set; }
        public Point End { get; internal set; }
        public float Radius { get; internal set; }

        /// <summary>Index of its polygon in the tile.</summary>
        public int Polygon { get; internal set; }

        public bool IsBidirectional { get; internal set; }
        public uint UserId { get; internal set; }
    }

    /// <summary>A square of the navmesh.</summary>
    public sealed class Tile
    {
        public int X { get; internal set; }
        public int Z { get; internal set; }
        public int Layer { get; internal set; }

        /// <summary>Detour's reference of the tile; that of a polygon is larger by its index.</summary>
        public ulong Reference { get; internal set; }

        public float AgentHeight { get; internal set; }
        public float AgentRadius { get; internal set; }
        public float AgentMaxClimb { get; internal set; }
        public Point Min { get; internal set; }
        public Point Max { get; internal set; }
        public Point[] Vertices { get; internal set; }
        public Polygon[] Polygons { get; internal set; }
        public OffMeshLink[] OffMeshLinks { get; internal set; }
    }

    /// <summary>A navmesh: tiles in RecastDemo's format.</summary>
    public sealed class TileSet
    {
        public Point Origin { get; private set; }

        /// <summary>Side of a tile along x, in meters.</summary>
        public float TileWidth { get; private set; }

        /// <summary>Side of a tile along z, in meters.</summary>
        public float TileHeight { get; private set; }

        /// <summary>Whether references have 64 bits. DotRecast has different functions for the two.</summary>
        public bool Is64Bit { get; private set; }

        public IReadOnlyList<Tile> Tiles { get; private set; }

        /// <summary>Reads a navmesh.</summary>
        /// <exception cref="InvalidDataException">The bytes are not exactly one set of tiles.</exception>
        public static TileSet Read(byte[] bytes)
        {
            try
            {
                return new Reader(bytes).Set();
            }
            catch (EndOfStreamException)
            {
                throw new InvalidDataException("the file ends early");
            }
        }

        /// <summary>Appends the detail surface to a list of positions and a list of triangles, to draw it.</summary>
        public void AddSurface(List<Point> vertices, List<int> triangles)
        {
            foreach (Tile tile in Tiles)
            {
                foreach (Polygon polygon in tile.Polygons)
                {
                    int first = vertices.Count;
                    foreach (ushort vertex in polygon.Vertices) vertices.Add(tile.Vertices[vertex]);
                    vertices.AddRange(polygon.DetailVertices);
                    foreach (byte[] triangle in polygon.DetailTriangles)
                    {
                        foreach (byte corner in triangle) triangles.Add(first + corner);
                    }
                }
            }
        }

        private sealed class Reader
        {
            private const uint SetMagic = 0x4d534554, TileMagic = 0x444e4156;
            private const int PolygonSize = 32, PointSize = 12, PatchSize = 12, TriangleSize = 4, NodeSize = 16, LinkSize = 36;

            private readonly BinaryReader input;
            private readonly byte[] bytes;

            internal Reader(byte[] bytes)
            {
                this.bytes = bytes;
                input = new BinaryReader(new MemoryStream(bytes));
            }

            internal TileSet Set()
            {
                Expect(SetMagic, "magic of the tile set");
                Expect(1, "version of the tile set");
                int count = input.ReadInt32();
                var set = new TileSet { Origin = Point(), TileWidth = input.ReadSingle(), TileHeight = input.ReadSingle() };
                // The largest numbers of tiles and polygons.
                Skip(8);
                // The padding of 64-bit references moves the first tile.
                set.Is64Bit = bytes.Length < 52 || BitConverter.ToUInt32(bytes, 48) != TileMagic;
                int tileHeader = set.Is64Bit ? 16 : 8;
                Check(Fits(count, tileHeader), "number of tiles");
                var tiles = new List<Tile>(count);
                for (int i = 0; i < count; i++) tiles.Add(TileWithReference(set.Is64Bit));
                Check(Left == 0, "end of the file");
                set.Tiles = tiles;
                return set;
            }

            private Tile TileWithReference(bool is64Bit)
            {
                ulong reference = is64Bit ? input.ReadUInt64() : input.ReadUInt32();
                int size = input.ReadInt32();
                if (is64Bit) Skip(4);
                Check(Fits(size, 1), "size of a tile");
                long end = input.BaseStream.Position + size;
                Tile tile = TileData(is64Bit ? 16 : 12);
                Check(input.BaseStream.Position == end, "size of a tile");
                tile.Reference = reference;
                return tile;
            }

            private Tile TileData(int polygonLinkSize)
            {
                Expect(TileMagic, "magic of a tile");
                Expect(7, "version of a tile");
                var tile = new Tile { X = input.ReadInt32(), Z = input.ReadInt32(), Layer = input.ReadInt32() };
                // The user id, for the game.
                Skip(4);
                int polygons = Count(PolygonSize), vertices = Count(PointSize), polygonLinks = Count(polygonLinkSize);
                int patches = Count(PatchSize), detailVertices = Count(PointSize), triangles = Count(TriangleSize);
                int nodes = Count(NodeSize), links = Count(LinkSize), ground = input.ReadInt32();
                Check(patches == ground && (long)ground + links == polygons, "number of polygons");
                tile.AgentHeight = input.ReadSingle();
                tile.AgentRadius = input.ReadSingle();
                tile.AgentMaxClimb = input.ReadSingle();
                tile.Min = Point();
                tile.Max = Point();
                // Cells of the BV tree.
                Skip(4);
                tile.Vertices = List(vertices, Point);
                tile.Polygons = List(polygons, () => PolygonOf(tile));
                // Links between polygons, which Detour makes again.
                Skip((long)polygonLinks * polygonLinkSize);
                ReadDetail(tile, ground, detailVertices, triangles);
                Skip((long)nodes * NodeSize);
                tile.OffMeshLinks = List(links, () => Link(tile));
                return tile;
            }

            private Polygon PolygonOf(Tile tile)
            {
                Skip(4);
                ushort[] vertices = List(6, input.ReadUInt16), neighbors = List(6, input.ReadUInt16);
                ushort flags = input.ReadUInt16();
                byte count = input.ReadByte(), kind = input.ReadByte();
                Check(count >= 2 && count <= 6, "number of vertices of a polygon");
                Array.Resize(ref vertices, count);
                Array.Resize(ref neighbors, count);
                foreach (ushort vertex in vertices) Check(vertex < tile.Vertices.Length, "vertex of a polygon");
                return new Polygon
                {
                    Vertices = vertices,
                    Neighbors = neighbors,
                    Flags = flags,
                    Area = (byte)(kind & 0x3f),
                    IsOffMeshLink = kind >> 6 != 0,
                    DetailVertices = new Point[0],
                    DetailTriangles = new byte[0][],
                };
            }

            private void ReadDetail(Tile tile, int patches, int detailVertices, int triangles)
            {
                var ranges = List(patches, () =>
                {
                    var range = new { Vertex = input.ReadUInt32(), Triangle = input.ReadUInt32(), Vertices = input.ReadByte(), Triangles = input.ReadByte() };
                    Skip(2);
                    Check((ulong)range.Vertex + range.Vertices <= (ulong)detailVertices, "detail vertices");
                    Check((ulong)range.Triangle + range.Triangles <= (ulong)triangles, "detail triangles");
                    return range;
                });
                Point[] points = List(detailVertices, Point);
                byte[][] corners = List(triangles, () =>
                {
                    byte[] triangle = List(3, input.ReadByte);
                    // Which edges are on the boundary of the polygon.
                    Skip(1);
                    return triangle;
                });
                for (int i = 0; i < patches; i++)
                {
                    Polygon polygon = tile.Polygons[i];
                    polygon.DetailVertices = Slice(points, ranges[i].Vertex, ranges[i].Vertices);
                    polygon.DetailTriangles = Slice(corners, ranges[i].Triangle, ranges[i].Triangles);
                    int limit = polygon.Vertices.Length + polygon.DetailVertices.Length;
                    foreach (byte[] triangle in polygon.DetailTriangles)
                    {
                        foreach (byte corner in triangle) Check(corner < limit, "corner of a detail triangle");
                    }
                }
            }

            private OffMeshLink Link(Tile tile)
            {
                var link = new OffMeshLink { Start = Point(), End = Point(), Radius = input.ReadSingle(), Polygon = input.ReadUInt16() };
                link.IsBidirectional = (input.ReadByte() & 1) != 0;
                // The side of the tile on which it ends.
                Skip(1);
                link.UserId = input.ReadUInt32();
                Check(link.Polygon < tile.Polygons.Length && tile.Polygons[link.Polygon].IsOffMeshLink, "polygon of an off-mesh link");
                return link;
            }

            private Point Point()
            {
                return new Point(input.ReadSingle(), input.ReadSingle(), input.ReadSingle());
            }

            /// <summary>Reads the length of a list whose items have <paramref name="size"/> bytes.</summary>
            private int Count(int size)
            {
                int count = input.ReadInt32();
                Check(Fits(count, size), "length of a list");
                return count;
            }

            private static T[] List<T>(int count, Func<T> item)
            {
                var items = new T[count];
                for (int i = 0; i < count; i++) items[i] = item();
                return items;
            }

            private static T[] Slice<T>(T[] items, uint first, int count)
            {
                var slice = new T[count];
                Array.Copy(items, first, slice, 0, count);
                return slice;
            }

            private long Left { get { return bytes.Length - input.BaseStream.Position; } }

            private bool Fits(int count, int size)
            {
                return count >= 0 && (long)count * size <= Left;
            }

            private void Skip(long count)
            {
                Check(count <= Left, "length of the file");
                input.BaseStream.Position += count;
            }

            private void Expect(uint value, string what)
            {
                Check(input.ReadUInt32() == value, what);
            }

            private void Check(bool holds, string what)
            {
                if (!holds) throw new InvalidDataException("wrong " + what + " before byte " + input.BaseStream.Position);
            }
        }
    }
}
