# A client for `walkable watch --listen` and for the editor, in Godot 3. docs/live.md specifies the protocol.
#
#	var live = preload("res://walkable_live.gd").new()
#	add_child(live)
#	live.connect("replied", self, "_on_replied")
#	live.connect_to("127.0.0.1", 7777, token)
#	...
#	live.show_agents([{"id": 1, "at": live.array(translation)}])
extends Node

# The first line: the program and its tiles.
signal greeted(greeting)
# The reply to the message with this id.
signal replied(id, reply)
# The message with this id was refused; 0 if the program could not read an id.
signal refused(id, reason)
# Something was baked for another program, or because files changed.
signal baked(event)
# The program ended, or refused the connection.
signal closed()

const PROTOCOL = 1
# Maximum length of a line to the program, in bytes, with its line break.
const MAX_LINE = 65536
const LINE_FEED = 10

var _peer = null
var _hello = {}
# The beginning of a line whose end has not arrived.
var _line = PoolByteArray()
var _next_id = 1

# Connects to the address that the program prints. Messages can be sent after `greeted`.
func connect_to(host, port, token):
	_peer = StreamPeerTCP.new()
	_line = PoolByteArray()
	_hello = {"type": "hello", "protocol": PROTOCOL, "token": token}
	return _peer.connect_to_host(host, port)

func disconnect_from():
	if _peer != null:
		_peer.disconnect_from_host()
		_peer = null

# Sends a message and returns its id. `replied` or `refused` follows. Returns 0 if the message is
# too long or nothing is connected.
func ask(kind, fields = {}):
	var message = fields.duplicate()
	message["type"] = kind
	message["id"] = _next_id
	if not _hello.empty() or not _send(message):
		return 0
	_next_id += 1
	return _next_id - 1

# Shows agents in the editor: each has `id` and `at`, and optionally `name`, `radius`, `height` and `path`.
func show_agents(agents, removed = []):
	return ask("agents", {"replace": agents, "remove": removed})

# Asks why no path leads from `start` to `end`. The editor lists it as a failed path.
func why_path(start, end):
	return ask("why_path", {"from": array(start), "to": array(end)})

# The bytes of a tile in the reply to the message `tiles`, for `dtNavMesh::addTile`.
func bytes_of(tile):
	return Marshalls.base64_to_raw(tile["data"])

# A position as the protocol writes it.
func array(at):
	return [at.x, at.y, at.z]

func _process(_delta):
	if _peer == null:
		return
	var status = _peer.get_status()
	if status == StreamPeerTCP.STATUS_CONNECTED:
		if not _hello.empty():
			_send(_hello)
			_hello = {}
		var n = _peer.get_available_bytes()
		if n > 0:
			_read_lines(_peer.get_data(n)[1])
	elif status != StreamPeerTCP.STATUS_CONNECTING:
		_peer = null
		emit_signal("closed")

func _send(message):
	var line = (to_json(message) + "\n").to_utf8()
	if line.size() > MAX_LINE or _peer == null:
		return false
	return _peer.put_data(line) == OK

func _read_lines(bytes):
	var start = 0
	for end in range(bytes.size()):
		if bytes[end] == LINE_FEED:
			_line.append_array(bytes.subarray(start, end))
			_handle(parse_json(_line.get_string_from_utf8()))
			_line = PoolByteArray()
			start = end + 1
	if start < bytes.size():
		_line.append_array(bytes.subarray(start, bytes.size() - 1))

func _handle(line):
	match line["type"]:
		"hello":
			emit_signal("greeted", line)
		"result":
			emit_signal("replied", int(line["id"]), line)
		"error":
			emit_signal("refused", int(line.get("id", 0)), line["error"])
		"baked":
			emit_signal("baked", line)
