# Finds paths in the scenes that Walkable exports for Godot 3:
#
# godot3-server --path FOLDER -s check3.gd, in a folder with project.godot.
#
# For every NAME.tscn with queries NAME.queries and results NAME.paths of `walkable path --queries`, the navigation must
# find a path to the same end, of about the same length. Prints `all paths found` on success.
extends SceneTree

var failures = 0

func check(holds, text):
	if not holds:
		failures += 1
		printerr("FAILED: " + text)

func lines(path):
	var file = File.new()
	check(file.open("res://" + path, File.READ) == OK, "cannot read " + path)
	return file.get_as_text().strip_edges().split("\n")

func length(points):
	var sum = 0.0
	for index in range(1, points.size()):
		sum += points[index].distance_to(points[index - 1])
	return sum

# The length of a vector seen from above. The scenes do not have the detail surface, so heights differ.
func horizontal(vector):
	return Vector2(vector.x, vector.z).length()

func check_scene(name):
	var navigation = load("res://" + name + ".tscn").instance()
	get_root().add_child(navigation)
	var n = 0
	var longest = 1.0
	for line in lines(name + ".paths"):
		var result = parse_json(line)
		if result["status"] != "complete" or result["length"] < 1:
			continue
		var expected = []
		for point in result["points"]:
			expected.append(Vector3(point[0], point[1], point[2]))
		var path = navigation.get_simple_path(expected[0], expected[-1], true)
		if path.size() == 0:
			check(false, "%s: no path from %s to %s" % [name, expected[0], expected[-1]])
			continue
		check(horizontal(path[path.size() - 1] - expected[-1]) < 0.5, "%s: another end than %s" % [name, expected[-1]])
		longest = max(longest, length(path) / length(expected))
		n += 1
	check(n > 0, name + ": no query has a path")
	check(longest < 1.6, "%s: a path is %s times longer" % [name, longest])
	print("%s.tscn: %d regions, %d paths found by Godot, at most %.2f times the length" % [name, navigation.get_child_count(), n, longest])

func _initialize():
	var folder = Directory.new()
	folder.open("res://")
	folder.list_dir_begin(true)
	var file = folder.get_next()
	var n = 0
	while file != "":
		if file.ends_with(".tscn"):
			check_scene(file.get_basename())
			n += 1
		file = folder.get_next()
	check(n > 0, "there are no scenes")
	if failures == 0:
		print("all paths found")
	quit()
