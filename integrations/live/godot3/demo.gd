# Does what walkable_live.py does, and prints the same lines. With --agents=1, it sends one frame of agents to the editor.
#
#	godot3-server --path FOLDER -s demo.gd --address=127.0.0.1:7777 --token-file=token.txt, in a folder with project.godot.
extends SceneTree

const MAX_TILES = 64

var live = preload("res://walkable_live.gd").new()

func _initialize():
	get_root().add_child(live)
	live.connect("refused", self, "_on_refused")
	live.connect("closed", self, "_on_closed")
	var options = {}
	for argument in OS.get_cmdline_args():
		var parts = argument.split("=", true, 1)
		if parts.size() == 2:
			options[parts[0]] = parts[1]
	var file = File.new()
	file.open(options["--token-file"], File.READ)
	var address = options["--address"].rsplit(":", true, 1)
	live.connect_to(address[0], int(address[1]), file.get_as_text().strip_edges())
	if options.has("--agents"):
		show_agents()
	else:
		play()

func play():
	var greeting = yield(live, "greeted")
	var known = yield(tiles(greeting["tiles"]), "completed")
	print("%s: %d tiles" % [greeting["program"], known])
	for x in [10, 25]:
		yield(ask("objects", {"replace": [box("Crate", Vector3(x, 0, 10), Vector3(x + 2, 2, 12))]}), "completed")
		var reply = yield(ask("bake"), "completed")
		var changed = yield(tiles(reply["changed"]), "completed")
		print("crate at %d: %s, %d tiles loaded" % [x, reply["status"], changed])
	var here = yield(ask("why_here", {"at": [26, 0, 11]}), "completed")
	print("under the crate: %s" % ("walkable" if here["chain"].empty() else here["chain"][0]["text"]))
	var path = yield(ask("why_path", {"from": [3, 0, 20], "to": [35, 0, 30]}), "completed")
	print("path: %s" % path["status"])
	yield(ask("objects", {"restore": ["Crate"]}), "completed")
	var restored = yield(ask("bake"), "completed")
	print("without the crate: %s" % restored["status"])
	quit()

# Shows three agents in the editor, and asks why one of them finds no path out of the level.
func show_agents():
	yield(live, "greeted")
	var agents = []
	var names = ["Guard", "Scout", "Trader"]
	for agent in range(3):
		var path = []
		for step in range(1, 6):
			path.append(place(agent, 0.4 * step))
		agents.append({"id": agent, "name": names[agent], "at": place(agent, 0.0), "path": path})
	yield(ask("agents", {"replace": agents}), "completed")
	var why = yield(ask("why_path", {"from": place(0, 0.0), "to": [45.0, 0.0, 12.0], "agent": 0}), "completed")
	print("path of %s: %s: %s" % [names[0], why["status"], why["first"]["text"] if why["first"] else "no obstacle"])
	quit()

# Returns the position of an agent on its circle after some seconds.
func place(agent, seconds):
	var angle = 0.5 * seconds + 2.0 * agent
	var radius = 2.5 + 1.5 * agent
	return [15.0 + radius * cos(angle), 0.0, 12.0 + radius * sin(angle)]

# Sends a message and waits for its reply.
func ask(kind, fields = {}):
	var id = live.ask(kind, fields)
	while true:
		var reply = yield(live, "replied")
		if reply[0] == id:
			return reply[1]

# Loads tiles and returns how many there are.
func tiles(places):
	var n = 0
	for first in range(0, max(places.size(), 1), MAX_TILES):
		var some = []
		for place in places.slice(first, first + MAX_TILES - 1):
			some.append({"x": int(place["x"]), "z": int(place["z"]), "layer": int(place["layer"])})
		var reply = yield(ask("tiles", {"tiles": some}), "completed")
		for tile in reply["tiles"]:
			n += 1 if live.bytes_of(tile).size() > 0 else 0
	return n

# An object with the shape of a box between two corners.
func box(name, low, high):
	var vertices = []
	for x in [low.x, high.x]:
		for y in [low.y, high.y]:
			for z in [low.z, high.z]:
				vertices.append([x, y, z])
	var triangles = []
	for side in [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]:
		triangles.append([side[0], side[1], side[2]])
		triangles.append([side[0], side[2], side[3]])
	return {"name": name, "vertices": vertices, "triangles": triangles}

func _on_refused(_id, reason):
	printerr("refused: " + reason)
	quit(1)

func _on_closed():
	printerr("the program closed the connection")
	quit(1)
