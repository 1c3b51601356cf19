package io.hawser.it.bench.recording;

import io.hawser.release.process.ProcessChain.Part;

/** What is done to a file on its way, in the order in which its first byte meets it, and how that is seen. */
enum Stage {
    CLIENT_OPENS(Phase.INIT, "client", "connect, login, STOR, until its first byte"),
    CLIENT_WRITES(Phase.TEMPORARY_FILE, "client", "writes to the data connection"),
    SPOOL_DIGEST(Phase.TEMPORARY_FILE, "agent-a", "SHA-256"),
    SPOOL_WRITE(Phase.TEMPORARY_FILE, "agent-a", "spool: writes of the content"),
    SPOOL_FORCE(Phase.TEMPORARY_FILE, "agent-a", "spool: forces of the content"),
    SPOOL_JOURNAL(Phase.TEMPORARY_FILE, "agent-a", "spool: journal, written and forced"),
    CLIENT_END(Phase.TEMPORARY_FILE, "client", "last byte written, until the final reply"),
    HOP_0_OPEN(Phase.INIT, "agent-a to broker", "OPEN sent, until the first packet is there"),
    HOP_0(Phase.NETWORK, "agent-a to broker", "packets on their way"),
    LOG_WRITE(Phase.DATABASE, "broker", "log: writes"),
    LOG_FORCE(Phase.DATABASE, "broker", "log: forces"),
    LOG_AHEAD(Phase.DATABASE, "broker", "log: segments made ahead of use"),
    LOG_READ(Phase.DATABASE, "broker", "log: reads for who has fallen behind"),
    INDEX(Phase.DATABASE, "broker", "index (H2): records applied, commits"),
    HOP_1_OPEN(Phase.INIT, "broker to agent-b", "OPEN sent, until the first packet is there"),
    HOP_1(Phase.NETWORK, "broker to agent-b", "packets on their way"),
    LANDING_WRITE(Phase.MERGE, "agent-b", "landing file: writes"),
    LANDING_FORCE(Phase.MERGE, "agent-b", "landing file: forces"),
    LANDING_JOURNAL(Phase.MERGE, "agent-b", "landing journal, written and forced"),
    READ_BACK(Phase.MERGE, "agent-b", "verification: read back"),
    VERIFY_DIGEST(Phase.MERGE, "agent-b", "verification: SHA-256"),
    PUBLISH(Phase.MERGE, "agent-b", "publication: rename, force of the directory"),
    COMMIT(Phase.RECEIPT, "agent-a to broker", "COMMIT sent, until COMMITTED is back"),
    RECEIPT(Phase.RECEIPT, "agent-b to agent-a", "receipt sent, until it is there");

    /** The rows of the NaradaBrokering paper's table, and one that it has not. */
    enum Phase {
        TEMPORARY_FILE("temporary file: client to spool"),
        INIT("init: what opens the way"),
        DATABASE("database: log and index"),
        NETWORK("network: both hops"),
        MERGE("merge: landing, verification, publication"),
        RECEIPT("(not in the paper) commit and receipt back");

        final String title;

        Phase(String title) {
            this.title = title;
        }
    }

    final Phase phase;
    final String where;
    final String title;

    Stage(Phase phase, String where, String title) {
        this.phase = phase;
        this.where = where;
        this.title = title;
    }

    /** Of a task of a node's digest threads. */
    static Stage digest(Part node) {
        return node == Part.AGENT_A ? SPOOL_DIGEST : VERIFY_DIGEST;
    }
}
