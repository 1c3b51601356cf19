package io.hawser.it.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a run is to be.
 *
 * @param length how long faults happen
 * @param least it goes on beyond that until so much has happened
 * @param faults which kinds; each must happen at least once, else the run is void
 * @param directory for the nodes' data, new or empty
 * @param ledger its file, best on another file system
 * @param pace mean pause between two objects of one publisher, ms
 * @param faultPause mean time between the beginnings of two faults of one lane, ms
 * @param streams what agents and the API are told to use: a number, or auto
 * @param store what the broker keeps its log in
 */
record Settings(
        Duration length,
        Least least,
        long seed,
        Set<Fault> faults,
        Path directory,
        Path ledger,
        int pace,
        int faultPause,
        String streams,
        Store store) {
    /** The chosen faults of one realm, in their order. */
    List<Fault> faultsOf(Fault.Realm realm) {
        return faults.stream().filter(fault -> fault.realm == realm).sorted().toList();
    }

    /** What the broker keeps its log in. */
    enum Store {
        /** Its own disk. */
        LOCAL,
        /** Topics of a Kafka of three nodes, with a second broker that stands by. */
        KAFKA
    }

    /**
     * What must have happened.
     *
     * @param kills of nodes
     * @param objects acknowledged
     * @param patience how long beyond the run's length is waited for it
     */
    record Least(int kills, int objects, Duration patience) {
        /** Whatever happens is enough. */
        static final Least ANY = new Least(0, 0, Duration.ZERO);
    }
}
