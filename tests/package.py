#!/usr/bin/env python3
"""The Debian package of a build folder, unpacked and run from there, without the build tree.

    package.py BUILD [--fresh]     --fresh: also in a root that holds nothing but the package and what it depends on, fetched
                                   with apt-get; skipped, saying so, where that cannot be had
"""
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHELLS = {'usr/share/bash-completion/completions/etiage': 'bash', 'usr/share/zsh/vendor-completions/_etiage': 'zsh',
          'usr/share/fish/vendor_completions.d/etiage.fish': 'fish'}
EXAMPLE = 'usr/share/doc/etiage/examples/cluster'
faults = []


def expect(fine, what):
    if not fine:
        faults.append(what)


def out(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f'{" ".join(map(str, command))}: exit {done.returncode}: {done.stderr.strip()}')
    return done.stdout


def packaged(build, folder):
    out('cpack', '-G', 'DEB', '-B', folder, cwd=build)
    return next(folder.glob('*.deb'))


def check_files(root, build):
    binary = root / 'usr/bin/etiage'
    for link in ('kubectl-etiage', 'kubectl_complete-etiage'):
        expect((root / 'usr/bin' / link).is_symlink(), f'{link} is no link')
    man = gzip.decompress((root / 'usr/share/man/man1/etiage.1.gz').read_bytes()).decode()
    commands = re.findall(r'^  ([a-z][a-z ]*?)  ', out(binary, 'help'), re.M)
    expect(len(commands) > 10, f'help lists {commands}')
    for command in commands:
        expect(command in man.replace('\\-', '-'), f'the man page lacks {command}')
    for path, shell in SHELLS.items():
        expect((root / path).read_text() == out(binary, 'completion', shell), f'{path} is not what the program says')
    expect(str(build.resolve()).encode() not in binary.read_bytes(), 'the program names its build tree')
    expect('not found' not in out('ldd', binary), 'a library is missing')


def check_runs(run):
    """`run`: a function of a command's words, with the paths that the package installs."""
    expect(run('/usr/bin/etiage', 'version').startswith('etiage '), 'version says nothing')
    expect('kubectl etiage' in run('/usr/bin/kubectl-etiage', 'help'), 'the plug-in does not know its name')
    expect('total' in run('/usr/bin/etiage', 'cost', '--by', 'team', f'/{EXAMPLE}'), 'the example cluster costs nothing')
    expect('fits' in run('/usr/bin/etiage', 'size', 'llama-3.1-8b', '--card', 'L4', '-o', 'json'), 'no sizes')


def fresh_root(deb, folder):
    """The package and its dependencies, and nothing else; None where apt-get or chroot cannot be used."""
    if os.geteuid() != 0:
        return None
    (folder / 'status').touch()
    (folder / 'archives' / 'partial').mkdir(parents=True)
    done = subprocess.run(['apt-get', 'install', '-y', '--download-only', '--no-install-recommends', '-o', f'Dir::State::status={folder}/status',
                           '-o', f'Dir::Cache::archives={folder}/archives', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root', str(deb)],
                          capture_output=True, text=True)
    if done.returncode:
        print('skipped the fresh root: apt-get says', done.stderr.strip()[-300:])
        return None
    root = folder / 'fresh'
    root.mkdir()
    for layout in ('bin', 'sbin', 'lib', 'lib64'):  # as a merged /usr has them
        (root / 'usr' / layout).mkdir(parents=True)
        (root / layout).symlink_to(f'usr/{layout}')
    for archive in sorted(folder.glob('archives/*.deb')) + [deb]:
        tar = subprocess.run(['dpkg-deb', '--fsys-tarfile', archive], capture_output=True, check=True).stdout
        subprocess.run(['tar', '-x', '--keep-directory-symlink', '-C', root], input=tar, check=True)
    # What update-alternatives does where packages are configured.
    for name in ('libblas.so.3', 'liblapack.so.3'):
        for library in root.glob(f'usr/lib/*/*/{name}'):
            if not (library.parent.parent / name).exists():
                (library.parent.parent / name).symlink_to(library.relative_to(library.parent.parent))
    return root


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        deb = packaged(build, folder)
        out('dpkg-deb', '-x', deb, folder / 'root')
        check_files(folder / 'root', build)
        check_runs(lambda program, *words: out(folder / 'root' / program.lstrip('/'), *(str(folder / 'root') + w if w.startswith('/') else w for w in words), cwd='/', env={}))
        root = fresh_root(deb, folder) if '--fresh' in sys.argv else None
        if root:
            check_runs(lambda *words: out('chroot', root, *words, env={'PATH': '/usr/sbin:/usr/bin'}))
            print(f'ran in a fresh root of {len(list(folder.glob("archives/*.deb")))} packages')
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
