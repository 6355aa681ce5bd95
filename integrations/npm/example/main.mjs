// Draws a navmesh. A click finds a path to the place and sends the agents there.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import init, { AgentOptions, Crowd, Filter, NavMesh } from 'walkable';

const AGENTS = 20;
const [RADIUS, HEIGHT] = [0.3, 1.8];

await init();
const response = await fetch('level.bin');
const mesh = NavMesh.fromBytes(new Uint8Array(await response.arrayBuffer()));
const filter = new Filter();

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x15171b);
scene.add(new THREE.HemisphereLight(0xffffff, 0x404040, 3));
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 1000);

const ground = new THREE.BufferGeometry();
ground.setAttribute('position', new THREE.BufferAttribute(mesh.triangles(), 3));
ground.computeVertexNormals();
const surface = new THREE.Mesh(ground, new THREE.MeshStandardMaterial({ color: 0x5588aa, side: THREE.DoubleSide }));
scene.add(surface, new THREE.LineSegments(new THREE.EdgesGeometry(ground, 1), new THREE.LineBasicMaterial({ color: 0xffffff })));

const [minX, minY, minZ, maxX, maxY, maxZ] = mesh.bounds;
const center = new THREE.Vector3((minX + maxX) / 2, (minY + maxY) / 2, (minZ + maxZ) / 2);
const size = Math.max(maxX - minX, maxZ - minZ);
camera.position.set(center.x, center.y + 0.7 * size, center.z + 0.6 * size);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.copy(center);

const crowd = new Crowd(AGENTS, RADIUS);
const starts = mesh.randomPoints(AGENTS, 1);
for (let at = 0; at < AGENTS; at += 1) {
  crowd.addAgent(mesh, starts.subarray(3 * at, 3 * at + 3), new AgentOptions(RADIUS, HEIGHT));
}
const body = new THREE.CapsuleGeometry(RADIUS, HEIGHT - 2 * RADIUS).translate(0, HEIGHT / 2, 0);
const bodies = new THREE.InstancedMesh(body, new THREE.MeshStandardMaterial({ color: 0xffb454 }), AGENTS);
const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xff3377 }));
scene.add(bodies, line);

const status = document.querySelector('#status');
status.textContent = `${mesh.polygonCount} polygons. Click the ground.`;

renderer.domElement.addEventListener('click', ({ clientX, clientY }) => {
  const pointer = new THREE.Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
  const ray = new THREE.Raycaster();
  ray.setFromCamera(pointer, camera);
  const [hit] = ray.intersectObject(surface);
  const place = hit && mesh.nearest(hit.point.toArray(), filter);
  if (!place) return;
  crowd.agents().forEach((agent) => crowd.setTarget(agent, place));
  const path = mesh.findPath(crowd.positions().subarray(0, 3), place.point, filter);
  line.geometry.dispose();
  line.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(path.points, 3));
  line.position.y = 0.1;
  status.textContent = `Path: ${path.status}, ${path.length.toFixed(1)} m${path.why ? ` (${path.why})` : ''}`;
});

let last = performance.now();
const at = new THREE.Matrix4();
renderer.setAnimationLoop((now) => {
  crowd.update(mesh, Math.min((now - last) / 1000, 0.1));
  last = now;
  const positions = crowd.positions();
  for (let agent = 0; agent < AGENTS; agent += 1) {
    bodies.setMatrixAt(agent, at.makeTranslation(...positions.subarray(3 * agent, 3 * agent + 3)));
  }
  bodies.instanceMatrix.needsUpdate = true;
  controls.update();
  renderer.render(scene, camera);
});
// For tests.
globalThis.example = { crowd };
