package io.hawser.ops.cli;

import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the transfer that a person means by a key, or by the end of one as {@code hawser status} shows it.
 *
 * <p>Thread: any.
 */
public final class TransferKeys {
    /** At most the transfer's own half of a key. */
    private static final String END = "[0-9a-f]{4,32}";

    private static final int MAX_NAMED = 5;

    private TransferKeys() {}

    /**
     * The whole key. A node need not know a transfer whose whole key is given.
     *
     * @throws CommandException if no transfer that the node knows has a key with that end, or several have
     */
    public static String resolve(AdminClient client, String given) throws IOException {
        if (!given.matches(END)) {
            return given; // a whole key; what is no key at all is refused by the page, in its words
        }
        byte[] body = client.get("/transfers", Map.of("key", given, "limit", "1000"));
        List<String> keys = Json.read(body, TransferPage.class).transfers().stream()
                .map(TransferStatus::key)
                .filter(key -> key.endsWith(given))
                .toList();
        if (keys.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "no transfer here has a key that ends with '" + given + "'; 'hawser status' shows them");
        } else if (keys.size() > 1) {
            throw new CommandException(
                    ExitCode.USAGE,
                    keys.size() + " transfers have keys that end with '" + given + "': "
                            + keys.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                            + (keys.size() > MAX_NAMED ? ", …" : "") + ". Give more digits");
        }
        return keys.get(0);
    }
}
