package io.hawser.ptcp;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chooses the address of a name to dial: the first of the answer, then the one where a session opened; after a failed attempt the next, so that all are tried whatever order the answers have.
 *
 * <p>Thread: any.
 */
final class AddressRotation {
    private record Attempt(InetAddress address, boolean worked) {}

    private final Map<String, Attempt> latest = new ConcurrentHashMap<>();

    /** @param answer all addresses of {@code name}, one at least */
    InetAddress next(String name, InetAddress[] answer) {
        Attempt before = latest.get(name);
        InetAddress chosen = before == null
                ? answer[0]
                : before.worked ? sameOrFollowing(before.address, answer) : following(before.address, answer);
        latest.put(name, new Attempt(chosen, false));
        return chosen;
    }

    /** A session opened at this address. */
    void worked(String name, InetAddress address) {
        latest.put(name, new Attempt(address, true));
    }

    /** The answer's own object knows the name, which a certificate is compared with. */
    private static InetAddress sameOrFollowing(InetAddress before, InetAddress[] answer) {
        return Arrays.stream(answer).filter(before::equals).findFirst().orElseGet(() -> following(before, answer));
    }

    private static InetAddress following(InetAddress before, InetAddress[] answer) {
        InetAddress[] sorted = answer.clone();
        Arrays.sort(sorted, AddressRotation::compare);
        for (InetAddress each : sorted) {
            if (compare(each, before) > 0) {
                return each;
            }
        }
        return sorted[0];
    }

    private static int compare(InetAddress a, InetAddress b) {
        return Arrays.compareUnsigned(a.getAddress(), b.getAddress());
    }
}
