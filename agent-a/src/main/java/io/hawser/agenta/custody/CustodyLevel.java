package io.hawser.agenta.custody;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How far a transfer must have come before its final reply is sent, the least first. */
public enum CustodyLevel {
    /** Durable at agent-a. */
    SPOOLED,
    /** Durable at the broker. */
    BROKERED,
    /** Durable and verified at every far end that is to have it, or at as many as {@code --complete} asks for. */
    LANDED,
    /** Published at as many. */
    DELIVERED;

    /** The level of that name, in any case. {@link IllegalArgumentException} if there is none. */
    public static CustodyLevel parse(String text) {
        return Arrays.stream(values())
                .filter(level -> level.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a custody level is one of "
                        + Arrays.stream(values()).map(CustodyLevel::toString).collect(Collectors.joining(", "))
                        + ", not \"" + text + "\""));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
