package io.hawser.it.chaos;

import java.util.List;

/** Cuts, resets, throttles and blinds the links between the broker and the others. */
final class LinkFaults extends FaultLane {
    private static final int USUAL_MILLIS = 1500;
    private static final int LONG_MILLIS = 24_000;
    private static final long CALM_SECONDS = 100;
    private static final long SLOWEST = 32 << 10;

    private final List<ChaosProxy> links;
    private final int longest;

    /** In runs that are long enough a silence may be so long that a node gives its peer up. */
    LinkFaults(RunParts run, long seed) {
        super("link-faults", seed, run.settings().faultsOf(Fault.Realm.LINK), run);
        links = deployment.links();
        longest = run.settings().length().toSeconds() >= CALM_SECONDS ? LONG_MILLIS : 2 * USUAL_MILLIS;
    }

    @Override
    void inject(Fault fault) throws InterruptedException {
        ChaosProxy link = oneOf(links);
        counts.add(fault, link.name(), 1);
        switch (fault) {
            case CUT -> link.cut();
            case BLACKHOLE -> link.blackHole();
            case THROTTLE -> link.throttle(SLOWEST << random.nextInt(6));
            case STALE -> link.outdate();
            default -> link.reset();
        }
        if (fault != Fault.RESET) {
            Thread.sleep(someMillis(USUAL_MILLIS, longest));
        }
        link.heal();
    }
}
