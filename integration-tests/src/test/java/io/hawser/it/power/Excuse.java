package io.hawser.it.power;

import io.hawser.it.power.FaultPoints.Fault;

/** What a node may go on after although a force, or a write with EIO, has failed. Thread: any. */
final class Excuse {
    private static final String SPARE = "/spare-";

    private Excuse() {}

    /**
     * What is not worth a node's life. The index is made again. A spare segment, with the force of the log's directory that belongs to
     * it, is given up and the log grows instead. A full disk costs an object its files, of which nothing is acknowledged.
     *
     * @param file that was written or forced
     * @param before the name that the same thread had made, changed or removed last: what a directory was forced for
     */
    static boolean mayGoOn(Fault fault, String file, String before) {
        boolean ofLog = file.endsWith("/log") || file.endsWith("/journal");
        boolean spare = file.contains(SPARE) || (ofLog && before.contains(SPARE));
        boolean content = file.matches(".*([.](data|leaves|part)|/data/data|/files)");
        return file.contains("/index") || spare || (content && fault.errno == Fault.ENOSPC.errno);
    }
}
