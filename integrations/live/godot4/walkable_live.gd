# A client for `walkable watch --listen` and for the editor, in Godot 4. docs/live.md specifies the protocol.
#
#	var live = preload("res://walkable_live.gd").new()
#	add_child(live)
#	live.replied.connect(_on_replied)
#	live.connect_to("127.0.0.1", 7777, token)
#	...
#	live.show_agents([{"id": 1, "at": live.array(position)}])
extends Node

# The first line: the program and its tiles.
signal greeted(greeting: Dictionary)
# The reply to the message with this id.
signal replied(id: int, reply: Dictionary)
# The message with this id was refused; 0 if the program could not read an id.
signal refused(id: int, reason: String)
# Something was baked for another program, or because files changed.
signal baked(event: Dictionary)
# The program ended, or refused the connection.
signal closed()

const PROTOCOL := 1
# Maximum length of a line to the program, in bytes, with its line break.
const MAX_LINE := 65536
const LINE_FEED := 10

var _peer: StreamPeerTCP = null
var _hello := {}
# The beginning of a line whose end has not arrived.
var _line := PackedByteArray()
var _next_id := 1

# Connects to the address that the program prints. Messages can be sent after `greeted`.
func connect_to(host: String, port: int, token: String) -> Error:
	_peer = StreamPeerTCP.new()
	_line = PackedByteArray()
	_hello = {"type": "hello", "protocol": PROTOCOL, "token": token}
	return _peer.connect_to_host(host, port)

func disconnect_from() -> void:
	if _peer != null:
		_peer.disconnect_from_host()
		_peer = null

# Sends a message and returns its id. `replied` or `refused` follows. Returns 0 if the message is
# too long or nothing is connected. Numbers of replies are floats: give whole numbers, such as those of tiles, as `int(…)`.
func ask(kind: String, fields := {}) -> int:
	var message := fields.duplicate()
	message["type"] = kind
	message["id"] = _next_id
	if not _hello.is_empty() or not _send(message):
		return 0
	_next_id += 1
	return _next_id - 1

# Shows agents in the editor: each has `id` and `at`, and optionally `name`, `radius`, `height` and `path`.
func show_agents(agents: Array, removed := []) -> int:
	return ask("agents", {"replace": agents, "remove": removed})

# Asks why no path leads from `start` to `end`. The editor lists it as a failed path.
func why_path(start: Vector3, end: Vector3) -> int:
	return ask("why_path", {"from": array(start), "to": array(end)})

# The bytes of a tile in the reply to the message `tiles`, for `dtNavMesh::addTile`.
func bytes_of(tile: Dictionary) -> PackedByteArray:
	return Marshalls.base64_to_raw(tile["data"])

# A position as the protocol writes it.
func array(at: Vector3) -> Array:
	return [at.x, at.y, at.z]

func _process(_delta: float) -> void:
	if _peer == null:
		return
	_peer.poll()
	var status := _peer.get_status()
	if status == StreamPeerTCP.STATUS_CONNECTED:
		if not _hello.is_empty():
			_send(_hello)
			_hello = {}
		var n := _peer.get_available_bytes()
		if n > 0:
			_read_lines(_peer.get_data(n)[1])
	elif status != StreamPeerTCP.STATUS_CONNECTING:
		_peer = null
		closed.emit()

func _send(message: Dictionary) -> bool:
	var line := (JSON.stringify(message) + "\n").to_utf8_buffer()
	if line.size() > MAX_LINE or _peer == null:
		return false
	return _peer.put_data(line) == OK

func _read_lines(bytes: PackedByteArray) -> void:
	var start := 0
	var end := bytes.find(LINE_FEED)
	while end >= 0:
		_line.append_array(bytes.slice(start, end))
		_handle(JSON.parse_string(_line.get_string_from_utf8()))
		_line = PackedByteArray()
		start = end + 1
		end = bytes.find(LINE_FEED, start)
	_line.append_array(bytes.slice(start))

func _handle(line: Dictionary) -> void:
	match line["type"]:
		"hello":
			greeted.emit(line)
		"result":
			replied.emit(int(line["id"]), line)
		"error":
			refused.emit(int(line.get("id", 0)), line["error"])
		"baked":
			baked.emit(line)
