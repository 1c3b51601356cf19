package io.hawser.it.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What goes wrong. Thread: immutable. */
enum Fault {
    /** {@code kill -9} of a node, which is started again after a while. */
    KILL(Realm.NODE, true),
    /** SIGSTOP, and SIGCONT after a while. */
    STOP(Realm.NODE, true),
    /** The broker is killed, and its index deleted before it is started again. */
    INDEX(Realm.NODE, false),
    /** The broker is killed, and its index damaged: flipped bits, cut, zeroed, emptied, or an older one. */
    DAMAGE(Realm.NODE, false),
    /**
     * A node is stopped and its connections reset; meanwhile a second process is started on its directory, which must be refused. Then the
     * first one wakes up.
     */
    TWIN(Realm.NODE, true),
    /** {@code kill -9} of a node of Kafka, which is started again after a while. */
    KAFKA(Realm.CLUSTER, false),
    /** The broker that serves and a node of Kafka are killed at the same moment. */
    BOTH(Realm.CLUSTER, false),
    /** The connections of a link end in order, and no new ones come up for a while. */
    CUT(Realm.LINK, true),
    /** The connections of a link stay, and nothing passes for a while. */
    BLACKHOLE(Realm.LINK, true),
    /** The connections of a link are reset; new ones come up at once. */
    RESET(Realm.LINK, true),
    /** A link passes little for a while. */
    THROTTLE(Realm.LINK, true),
    /** The node's end of a link is reset; what was on its way in the old connections reaches the broker when new ones are up. */
    STALE(Realm.LINK, true),
    /** A node's file system is filled by somebody else, and freed after a while. */
    DISK(Realm.MACHINE, true),
    /** A node's wall clock jumps, by up to a day, and back after a while. */
    CLOCK(Realm.MACHINE, false),
    /** {@code kill -9} of an FTP client in mid-upload: what it sent must not become visible. */
    CLIENT(Realm.CLIENT, false),
    /** {@code kill -9} of a Java program that sends, which returns with its journal. */
    PROGRAM(Realm.CLIENT, true);

    /** Who it befalls. */
    enum Realm {
        NODE,
        CLUSTER,
        LINK,
        MACHINE,
        CLIENT
    }

    final Realm realm;
    /**
     * Whether it can be the cause of bytes being sent again. An index has none; who lost one was killed too, and that counts, as does the
     * broker's death together with a node of Kafka.
     */
    final boolean resends;

    Fault(Realm realm, boolean resends) {
        this.realm = realm;
        this.resends = resends;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one that is called so. */
    static Optional<Fault> of(String word) {
        return Arrays.stream(values())
                .filter(fault -> fault.word().equals(word.strip()))
                .findFirst();
    }
}
