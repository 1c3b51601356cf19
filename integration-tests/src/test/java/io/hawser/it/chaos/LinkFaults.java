package io.hawser.it.chaos;

import java.util.List;

/** Cuts, resets, throttles and blinds the links between the broker and the others. */
final class LinkFaults extends FaultLane {
    private static final int USUAL_MILLIS = 1500;
    private static final int LONG_MILLIS = 24_000;
    private static final long SLOWEST = 32 << 10;

    private final List<ChaosProxy> links;
    private final int longest;

    /** @param calm whether a silence may be so long that a node gives its peer up */
    LinkFaults(
            long seed,
            List<Fault> kinds,
            List<ChaosProxy> links,
            boolean calm,
            FaultCounts counts,
            Violations violations) {
        super("link-faults", seed, kinds, counts, violations);
        this.links = links;
        longest = calm ? LONG_MILLIS : 2 * USUAL_MILLIS;
    }

    @Override
    void inject(Fault fault) throws InterruptedException {
        ChaosProxy link = oneOf(links);
        counts.add(fault, link.name(), 1);
        switch (fault) {
            case CUT -> link.cut();
            case BLACKHOLE -> link.blackHole();
            case THROTTLE -> link.throttle(SLOWEST << random.nextInt(6));
            default -> link.reset();
        }
        if (fault != Fault.RESET) {
            Thread.sleep(someMillis(USUAL_MILLIS, longest));
        }
        link.heal();
    }
}
