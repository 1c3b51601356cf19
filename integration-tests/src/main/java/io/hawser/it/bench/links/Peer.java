package io.hawser.it.bench.links;

import io.hawser.it.bench.links.LinkWork.Kind;
import java.nio.file.Path;
import java.util.List;

/** The programs that are installed on most machines, or were when files went by Grid. */
enum Peer implements PeerProgram {
    GRIDFTP_4("GridFTP, 4 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(4).command(kind, servers, local, name);
        }
    },
    GRIDFTP_16("GridFTP, 16 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(16).command(kind, servers, local, name);
        }
    },
    GRIDFTP_64("GridFTP, 64 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(64).command(kind, servers, local, name);
        }
    },
    CURL("HTTP (curl)", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String url = servers.http() + "/" + name;
            return kind == Kind.UPLOAD
                    ? List.of("curl", "-sSf", "-T", local.toString(), url)
                    : List.of("curl", "-sSf", "-o", local.toString(), url);
        }
    },
    ARIA2("HTTP, 16 ranges (aria2c)", Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return List.of(
                    "aria2c",
                    "-q",
                    "-x16",
                    "-s16",
                    "-k1M",
                    "--file-allocation=none",
                    "--allow-overwrite=true",
                    "-d",
                    local.resolveSibling("").toString(),
                    "-o",
                    String.valueOf(local.getFileName()),
                    servers.http() + "/" + name);
        }
    },
    RSYNC("rsync", Kind.UPLOAD, Kind.DOWNLOAD, Kind.SMALL) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String remote = servers.rsync() + "/" + name;
            return switch (kind) {
                case UPLOAD -> List.of("rsync", "-W", local.toString(), remote);
                case DOWNLOAD -> List.of("rsync", "-W", remote, local.toString());
                case SMALL -> List.of("rsync", "-rW", local + "/", remote + "/");
            };
        }
    },
    GRIDFTP_TREE("GridFTP, -fast -pp -cc 16", Kind.SMALL) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return List.of(
                    "globus-url-copy",
                    "-r",
                    "-cd",
                    "-fast",
                    "-pp",
                    "-cc",
                    "16",
                    "file://" + local + "/",
                    servers.gridFtp() + "/" + name + "/");
        }
    };

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Kind> kinds;

    Peer(String title, Kind... kinds) {
        this.title = title;
        this.kinds = List.of(kinds);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean does(Kind kind) {
        return kinds.contains(kind);
    }
}
