// Lists the files of a folder for the installer: `node files.js FOLDER OUT` writes OUT/files.wxi with a component for each file
// and OUT/components.wxi with their names, and prints a GUID of the folder's contents. The GUID of a component follows from the
// path of its file, as the rules of Windows Installer demand.
const { createHash } = require("crypto");
const { readFileSync, readdirSync, writeFileSync } = require("fs");
const { join, resolve } = require("path");

const [root, out] = process.argv.slice(2).map((folder) => resolve(folder));
const contents = createHash("sha1");
const components = [];
const lines = [];

// The GUID of a hash, as in version 5 of RFC 9562.
function guid(hash) {
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

function list(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const id = `i${createHash("sha1").update(path).digest("hex").slice(0, 16)}`;
    if (entry.isDirectory()) {
      lines.push(`<Directory Id="${id}" Name="${escaped(entry.name)}">`);
      list(path);
      lines.push("</Directory>");
    } else {
      components.push(`<ComponentRef Id="${id}"/>`);
      contents.update(path).update(readFileSync(join(root, path)));
      const component = guid(createHash("sha1").update(`walkable:${path}`).digest());
      lines.push(`<Component Id="${id}" Guid="${component}" Win64="yes">`);
      lines.push(`<File Id="f${id}" Name="${escaped(entry.name)}" Source="${escaped(join("files", path))}" KeyPath="yes"/>`);
      lines.push("</Component>");
    }
  }
}

list("");
for (const [name, elements] of [["files", lines], ["components", components]]) {
  writeFileSync(join(out, `${name}.wxi`), ["<Include>", ...elements, "</Include>", ""].join("\n"));
}
console.log(guid(contents.digest()));
