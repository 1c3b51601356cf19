package io.hawser.it.bench.links;

import io.hawser.it.bench.links.LinkWork.Kind;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code globus-url-copy} with so many streams.
 *
 * @param streams 1 or more
 */
record GridFtpStreams(int streams) implements PeerProgram {
    @Override
    public String title() {
        return streams == 1 ? "GridFTP, 1 stream" : "GridFTP, " + streams + " streams";
    }

    @Override
    public String client() {
        return "globus-url-copy";
    }

    @Override
    public PeerServers.Server server() {
        return PeerServers.Server.GRIDFTP;
    }

    @Override
    public boolean does(Kind kind) {
        return kind != Kind.SMALL;
    }

    @Override
    public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
        String here = "file://" + local;
        String there = servers.gridFtp() + "/" + name;
        boolean up = kind == Kind.UPLOAD;
        return List.of(client(), "-fast", "-p", Integer.toString(streams), up ? here : there, up ? there : here);
    }
}
