// pytest in Pyodide, which is CPython as WebAssembly:  node pyodide_pytest.mjs ROOT PACKAGES OTHER PYODIDE WORDS...
//
// The repository, the folder of installed packages and another folder are mounted as they are; of the packages
// only those that are pure Python can be imported.  The exit code is pytest's.

process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error).slice(-2000));
  process.exit(3);
});
const [root, packages, other, pyodide, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);

const python = await loadPyodide({ env: { HOME: "/tmp", MINIGRAD_LANG: "en", PYTHONDONTWRITEBYTECODE: "1" } });
for (const [where, folder] of [["/repository", root], ["/installed", packages], ["/other", other]]) {
  python.FS.mkdirTree(where);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, where);
}
python.globals.set("words", words);
process.exitCode = python.runPython(`
import os, sys
PURE = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "mpmath", "py.py")
os.mkdir("/pure")
for name in PURE:
    os.symlink(f"/installed/{name}", f"/pure/{name}")
sys.path[:0] = ["/repository/src", "/pure"]
os.chdir("/repository")
import pytest
pytest.main(list(words))
`);
