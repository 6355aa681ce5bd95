// Test.exe FILE.bin: writes the navmesh as JSON with the fields of `walkable export --format json`, for compare.mjs.
// Shortened and damaged files must be refused or read, never end in another exception.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Walkable;

internal static class Test
{
    private static int Main(string[] args)
    {
        byte[] bytes = File.ReadAllBytes(args[0]);
        for (int size = 0; size < bytes.Length; size += 1 + bytes.Length / 997)
        {
            if (IsRead(bytes.Take(size).ToArray())) return Fail("loaded from " + size + " of " + bytes.Length + " bytes");
        }
        var random = new Random(1);
        int read = 0;
        for (int i = 0; i < 2000; i++)
        {
            byte[] damaged = (byte[])bytes.Clone();
            damaged[random.Next(i % 2 == 0 ? Math.Min(200, bytes.Length) : bytes.Length)] = (byte)random.Next(256);
            read += IsRead(damaged) ? 1 : 0;
        }
        TileSet set = TileSet.Read(bytes);
        Console.WriteLine("{" + string.Join(",", new[]
        {
            "\"damagedButRead\":" + read,
            "\"is64Bit\":" + Text(set.Is64Bit),
            "\"params\":{\"origin\":" + Text(set.Origin) + ",\"tile_width\":" + Text(set.TileWidth) + ",\"tile_height\":" + Text(set.TileHeight) + "}",
            "\"tiles\":" + Array(set.Tiles, Text),
            "\"polygons\":" + Array(set.Tiles.SelectMany((tile, index) => tile.Polygons.Select((polygon, number) => Text(tile, index, polygon, number))), text => text),
            "\"off_mesh_links\":" + Array(set.Tiles.SelectMany(tile => tile.OffMeshLinks), Text),
            "\"surface\":" + Surface(set),
        }) + "}");
        return 0;
    }

    private static bool IsRead(byte[] bytes)
    {
        try
        {
            var polygons = TileSet.Read(bytes).Tiles.SelectMany(tile => tile.Polygons);
            if (polygons.Any(HasWrongCorner)) throw new Exception("a triangle has a corner that does not exist");
            return true;
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    private static bool HasWrongCorner(Polygon polygon)
    {
        int limit = polygon.Vertices.Length + polygon.DetailVertices.Length;
        return polygon.DetailTriangles.SelectMany(triangle => triangle).Any(corner => corner >= limit);
    }

    private static string Text(Tile tile)
    {
        return "{\"x\":" + tile.X + ",\"z\":" + tile.Z + ",\"layer\":" + tile.Layer + ",\"min\":" + Text(tile.Min) + ",\"max\":" + Text(tile.Max)
            + ",\"agent_height\":" + Text(tile.AgentHeight) + ",\"agent_radius\":" + Text(tile.AgentRadius) + ",\"agent_max_climb\":" + Text(tile.AgentMaxClimb)
            + ",\"vertices\":" + Array(tile.Vertices, Text) + "}";
    }

    private static string Text(Tile tile, int index, Polygon polygon, int number)
    {
        return "{\"reference\":\"" + (tile.Reference + (ulong)number) + "\",\"tile\":" + index + ",\"area\":" + polygon.Area + ",\"flags\":" + polygon.Flags
            + ",\"vertices\":" + Array(polygon.Vertices, vertex => vertex.ToString()) + "}";
    }

    private static string Text(OffMeshLink link)
    {
        return "{\"user_id\":" + link.UserId + ",\"start\":" + Text(link.Start) + ",\"end\":" + Text(link.End) + ",\"radius\":" + Text(link.Radius)
            + ",\"bidirectional\":" + Text(link.IsBidirectional) + "}";
    }

    // The number of triangles, and their area seen from above.
    private static string Surface(TileSet set)
    {
        var vertices = new List<Point>();
        var triangles = new List<int>();
        set.AddSurface(vertices, triangles);
        double twice = 0;
        for (int i = 0; i < triangles.Count; i += 3)
        {
            Point a = vertices[triangles[i]], b = vertices[triangles[i + 1]], c = vertices[triangles[i + 2]];
            twice += (double)(b.Z - a.Z) * (c.X - a.X) - (double)(b.X - a.X) * (c.Z - a.Z);
        }
        return "{\"triangles\":" + triangles.Count / 3 + ",\"area\":" + (twice / 2).ToString("R", CultureInfo.InvariantCulture) + "}";
    }

    private static string Array<T>(IEnumerable<T> items, Func<T, string> text)
    {
        return "[" + string.Join(",", items.Select(text)) + "]";
    }

    private static string Text(Point at)
    {
        return "[" + Text(at.X) + "," + Text(at.Y) + "," + Text(at.Z) + "]";
    }

    private static string Text(float value)
    {
        return value.ToString("R", CultureInfo.InvariantCulture);
    }

    private static string Text(bool value)
    {
        return value ? "true" : "false";
    }

    private static int Fail(string text)
    {
        Console.Error.WriteLine(text);
        return 1;
    }
}
