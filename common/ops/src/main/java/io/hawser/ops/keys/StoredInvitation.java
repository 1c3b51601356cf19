package io.hawser.ops.keys;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.keys.Invitations.Terms;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/**
 * The file in which the CA keeps an invitation until it is redeemed: terms, expiry, hash of the secret; lines KEY=VALUE. A
 * file without a version is of version 1. Damage shows only in {@link #terms} and {@link #until}, so that a caller without the
 * secret learns nothing of it.
 *
 * <p>Thread: immutable.
 */
final class StoredInvitation {
    private static final String VERSION = "1";
    private static final String SEPARATOR = " ";
    private static final long MAX_DAYS = 36_500;

    private final String name;
    private final Properties lines;

    private StoredInvitation(String name, Properties lines) {
        this.name = name;
        this.lines = lines;
    }

    /** The text of a new file, with only the hash of the secret. */
    static String text(String secretHash, Terms terms, Instant until) {
        Properties lines = new Properties();
        lines.setProperty("version", VERSION);
        lines.setProperty("secret", secretHash);
        lines.setProperty("role", terms.role().fileName());
        lines.setProperty("name", terms.name());
        lines.setProperty("hosts", String.join(SEPARATOR, terms.hosts()));
        lines.setProperty("grants", terms.grants().toString());
        lines.setProperty("days", Long.toString(terms.validity().toDays()));
        lines.setProperty("until", until.toString());
        StringWriter text = new StringWriter();
        try {
            lines.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    /**
     * @param name of the file, for messages
     * @throws ConfigException if it is of another version or malformed
     */
    static StoredInvitation parse(String name, String text) {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw damaged(name, "its lines are not KEY=VALUE");
        }
        String version = lines.getProperty("version", VERSION);
        if (!version.equals(VERSION)) {
            throw new ConfigException(name + " is of version '" + printable(version) + "'; this Hawser knows version "
                    + VERSION + "; use the Hawser that made it");
        }
        return new StoredInvitation(name, lines);
    }

    /** The hash of the secret; empty if there is none. */
    String secretHash() {
        return lines.getProperty("secret", "");
    }

    /** What it is for. Throws ConfigException if the file is damaged. */
    Terms terms() {
        return new Terms(
                value("role", Invitations::role),
                value("name", StoredInvitation::name),
                words(lines.getProperty("hosts", "")),
                value("grants", Grants::parse),
                value("days", StoredInvitation::days));
    }

    /** When it expires. Throws ConfigException if the file is damaged. */
    Instant until() {
        return value("until", Instant::parse);
    }

    private static String name(String text) {
        if (!CertificateAuthority.isName(text)) {
            throw new IllegalArgumentException("not the name of a node");
        }
        return text;
    }

    private static Duration days(String text) {
        long days = Long.parseLong(text);
        if (days < 1 || days > MAX_DAYS) {
            throw new IllegalArgumentException("1 to " + MAX_DAYS + " days");
        }
        return Duration.ofDays(days);
    }

    private <T> T value(String key, Function<String, T> reading) {
        try {
            return reading.apply(lines.getProperty(key, ""));
        } catch (IllegalArgumentException | DateTimeParseException | ConfigException e) {
            throw damaged(name, "'" + printable(lines.getProperty(key, "")) + "' is no value for '" + key + "'");
        }
    }

    private static ConfigException damaged(String name, String why) {
        return new ConfigException(name + " is damaged: " + why + "; delete it, and invite again if it was not used");
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR));
    }
}
