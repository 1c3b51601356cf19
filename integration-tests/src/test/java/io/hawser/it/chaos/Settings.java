package io.hawser.it.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What a run is to be.
 *
 * @param faults which kinds; each must happen at least once, else the run is void
 * @param directory for the nodes' data, new or empty
 * @param journal the publishers' own file, away from that
 * @param pace mean pause between two objects of one publisher, ms
 * @param faultPause mean time between the beginnings of two faults of one lane, ms
 */
record Settings(
        Duration length, long seed, Set<Fault> faults, Path directory, Path journal, int pace, int faultPause) {}
