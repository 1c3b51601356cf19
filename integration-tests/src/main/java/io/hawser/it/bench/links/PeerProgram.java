package io.hawser.it.bench.links;

import io.hawser.it.bench.links.LinkWork.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A program that others would use for the same, straight from one end of the link to the other, until it has ended. */
interface PeerProgram {
    /** Its name for people. */
    String title();

    /** Whether it does such a work. */
    boolean does(Kind kind);

    /** The program that a user starts. */
    String client();

    /** What has to run at the right end. */
    PeerServers.Server server();

    /** What has to be installed. */
    default List<String> programs() {
        return Stream.of(client(), server().program()).distinct().toList();
    }

    /**
     * What a user would type.
     *
     * @param local the file, or directory of small files, at the left end
     * @param name of the same at the right end
     */
    List<String> command(Kind kind, PeerServers servers, Path local, String name);
}
