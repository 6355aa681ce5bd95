# Loads the files of `walkable export` in Godot 4 and prints what arrives in the navigation server and the paths that it
# finds, as lines of JSON. `check.mjs` packs this script with the files and `jobs.json`, and compares.
extends Node

const Live = preload("res://walkable_live.gd")

func say(kind: String, fields: Dictionary) -> void:
	fields["kind"] = kind
	print(JSON.stringify(fields))

func text(file: String) -> String:
	return FileAccess.get_file_as_string("res://" + file)

func array(at: Vector3) -> Array:
	return [at.x, at.y, at.z]

func vector(at: Array) -> Vector3:
	return Vector3(at[0], at[1], at[2])

# Waits until the navigation map contains everything that was added or removed.
func synchronize(map: RID) -> void:
	var quiet := 0
	var iteration := -1
	while quiet < 12:
		await get_tree().physics_frame
		quiet += 1
		if NavigationServer3D.map_get_iteration_id(map) != iteration:
			iteration = NavigationServer3D.map_get_iteration_id(map)
			quiet = 0

# Returns the number of edges that two polygons have in common, to the last bit.
func shared_edges(regions: Array) -> int:
	var count := {}
	for region in regions:
		var vertices: PackedVector3Array = region.navigation_mesh.vertices
		for number in region.navigation_mesh.get_polygon_count():
			var polygon: PackedInt32Array = region.navigation_mesh.get_polygon(number)
			for corner in polygon.size():
				var a := vertices[polygon[corner]]
				var b := vertices[polygon[(corner + 1) % polygon.size()]]
				var edge := [a, b] if a < b else [b, a]
				count[edge] = count.get(edge, 0) + 1
	return count.values().count(2)

# `margin` tells whether Godot also connects edges that are only near each other.
func describe_map(name: String, map: RID, regions: Array, margin: bool) -> void:
	NavigationServer3D.map_set_use_edge_connections(map, margin)
	await synchronize(map)
	say("map", {
		"level": name,
		"margin": margin,
		"shared_edges": shared_edges(regions),
		"cell_size": NavigationServer3D.map_get_cell_size(map),
		"cell_height": NavigationServer3D.map_get_cell_height(map),
		"regions": NavigationServer3D.map_get_regions(map).size(),
		"links": NavigationServer3D.map_get_links(map).size(),
		"polygons": NavigationServer3D.get_process_info(NavigationServer3D.INFO_POLYGON_COUNT),
		"merged_edges": NavigationServer3D.get_process_info(NavigationServer3D.INFO_EDGE_MERGE_COUNT),
		"connected_edges": NavigationServer3D.get_process_info(NavigationServer3D.INFO_EDGE_CONNECTION_COUNT),
	})

# Asks the server, not the nodes.
func describe_nodes(name: String, scene: Node3D) -> void:
	for node in scene.get_children():
		if node is NavigationRegion3D:
			var region: RID = node.get_rid()
			var mesh: NavigationMesh = node.navigation_mesh
			say("region", {
				"level": name,
				"name": node.name,
				"layers": NavigationServer3D.region_get_navigation_layers(region),
				"travel_cost": NavigationServer3D.region_get_travel_cost(region),
				"enter_cost": NavigationServer3D.region_get_enter_cost(region),
				"polygons": mesh.get_polygon_count(),
				"cell_size": mesh.cell_size,
				"cell_height": mesh.cell_height,
				"agent_radius": mesh.agent_radius,
			})
		elif node is NavigationLink3D:
			var link: RID = node.get_rid()
			say("link", {
				"level": name,
				"name": node.name,
				"layers": NavigationServer3D.link_get_navigation_layers(link),
				"travel_cost": NavigationServer3D.link_get_travel_cost(link),
				"enter_cost": NavigationServer3D.link_get_enter_cost(link),
				"bidirectional": NavigationServer3D.link_is_bidirectional(link),
				"start": array(NavigationServer3D.link_get_start_position(link)),
				"end": array(NavigationServer3D.link_get_end_position(link)),
			})
		else:
			say("unknown", {"level": name, "name": node.name})

# Says every path, with the names of the nodes that own its points.
func find_paths(job: Dictionary, map: RID) -> void:
	var question := NavigationPathQueryParameters3D.new()
	var answer := NavigationPathQueryResult3D.new()
	question.map = map
	question.navigation_layers = int(job["layers"])
	for query in job["queries"]:
		question.start_position = vector(query["from"])
		question.target_position = vector(query["to"])
		NavigationServer3D.query_path(question, answer)
		var short := NavigationServer3D.map_get_path(map, question.start_position, question.target_position, true,
			question.navigation_layers)
		var owners := []
		for id in answer.path_owner_ids:
			owners.append(instance_from_id(id).name if id != 0 else &"")
		say("path", {
			"job": job["name"],
			"query": int(query["id"]),
			"points": Array(answer.path).map(array),
			"owners": owners,
			"same": short == answer.path,
		})

func check_scene(name: String, jobs: Array) -> void:
	var scene: Node3D = load("res://%s.tscn" % name).instantiate()
	add_child(scene)
	var map := scene.get_world_3d().navigation_map
	var regions := scene.get_children().filter(func(node): return node is NavigationRegion3D)
	await describe_map(name, map, regions, false)
	await describe_map(name, map, regions, true)
	describe_nodes(name, scene)
	for job in jobs:
		find_paths(job, map)
	scene.free()
	await synchronize(map)

# The resource has one mesh for all tiles.
func check_resource(name: String, jobs: Array) -> void:
	var region := NavigationRegion3D.new()
	region.name = "all"
	region.navigation_mesh = load("res://%s.tres" % name)
	add_child(region)
	var map := region.get_world_3d().navigation_map
	await describe_map(name, map, [region], true)
	for job in jobs:
		find_paths(job, map)
	region.free()
	await synchronize(map)

# A browser has no TCP: the client gets what the program wrote, in pieces.
func check_live() -> void:
	var live := Live.new()
	add_child(live)
	live.greeted.connect(func(line): say("live", {"signal": "greeted", "line": line}))
	live.replied.connect(func(id, line):
		for tile in line.get("tiles", []):
			tile["length"] = live.bytes_of(tile).size()
		say("live", {"signal": "replied", "id": id, "line": line}))
	live.refused.connect(func(id, reason): say("live", {"signal": "refused", "id": id, "reason": reason}))
	live.baked.connect(func(line): say("live", {"signal": "baked", "line": line}))
	var bytes := FileAccess.get_file_as_bytes("res://live.jsonl")
	for start in range(0, bytes.size(), 100):
		live._read_lines(bytes.slice(start, start + 100))
	say("unsent", {"id": live.show_agents([{"id": 1, "at": live.array(Vector3(1, 2, 3))}])})
	live.free()

func _ready() -> void:
	say("engine", {"version": Engine.get_version_info()["string"], "display": DisplayServer.get_name()})
	for level in JSON.parse_string(text("jobs.json")):
		if level["resource"]:
			await check_resource(level["name"], level["jobs"])
		else:
			await check_scene(level["name"], level["jobs"])
	check_live()
	say("done", {})
	get_tree().quit()
