package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Caches the far end's directory entries and path facts for two seconds. A far end that has just been found away, or silent,
 * is not waited for anew by each command.
 *
 * <p>Bounded: {@value #MAX_ENTRIES} entries are remembered. Thread: the loop.
 */
final class FarNamespace {
    static final Duration FRESH = Duration.ofSeconds(2);
    private static final int MAX_ENTRIES = 100_000;
    /** Topics that are remembered as away: clients name any. */
    static final int MAX_AWAY = 1000;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration BELIEVED_AWAY = Duration.ofSeconds(10);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(250);
    /** A far FTP server may have to be asked line by line for a listing. */
    private static final int LOOKS_OF_A_PAGE = 3;

    private final RemoteFiles remote;
    private final CallTimeouts ofLooks;
    private final CallTimeouts ofPages;
    /** With one that was away or silent a moment ago. If it is there again, it answers in this time. */
    private final CallTimeouts withAway;

    private final Consumer<Topic> answered;
    private final LongSupplier nanoClock;
    private final Map<Place, Listing> listings = new LinkedHashMap<>();
    private final Map<Place, Known> files = new EvictingMap<>(MAX_ENTRIES / 100);
    private final Map<Topic, Away> away = new EvictingMap<>(MAX_AWAY);
    private int listedEntries;

    /** Counts what was done through this server: an answer to a question from before is not remembered. */
    private long changes;

    private record Listing(List<RemoteFile> entries, long atNanos) {}

    private record Known(RemoteFile file, long atNanos) {}

    private record Away(Refusal why, long atNanos) {}

    /**
     * @param lookTime how long a far end that is there may take for a look at one name
     * @param answered told about the topic whenever its far end has said what is there
     */
    FarNamespace(RemoteFiles remote, Duration lookTime, Consumer<Topic> answered, LongSupplier nanoClock) {
        this.remote = remote;
        this.answered = answered;
        this.ofLooks = new CallTimeouts(PATIENCE, lookTime);
        this.ofPages = new CallTimeouts(PATIENCE, lookTime.multipliedBy(LOOKS_OF_A_PAGE));
        this.withAway = new CallTimeouts(SHORT_PATIENCE, lookTime.compareTo(PATIENCE) < 0 ? lookTime : PATIENCE);
        this.nanoClock = nanoClock;
    }

    /**
     * What is at {@code place}. The answer may come inside this call.
     *
     * @param settled whether nothing is on its way there, so that the answer may be remembered
     */
    void stat(Place place, boolean settled, Outcome.Callback<RemoteFile> done) {
        Known known = files.get(place);
        if (known != null && isFresh(known.atNanos)) {
            done.accept(Outcome.of(known.file));
            return;
        }
        long asked = nanoClock.getAsLong();
        long before = changes;
        CallTimeouts timeouts = timeouts(place.topic(), ofLooks);
        remote.stat(place.topic(), place.name(), timeouts, told -> {
            Outcome<RemoteFile> outcome = PrintableNames.of(told, List::of);
            heard(place.topic(), timeouts, outcome);
            if (settled && !outcome.isRefused() && before == changes) {
                remember(place, outcome.get(), asked);
            }
            done.accept(outcome);
        });
    }

    /** What was last told about {@code place}, by itself or in its directory's listing, however long ago: a guess at what is there. */
    Optional<RemoteFile> lastTold(Place place) {
        Known known = files.get(place);
        return known != null ? Optional.of(known.file) : lastListed(place);
    }

    private Optional<RemoteFile> lastListed(Place place) {
        Listing listing = listings.get(place.parent());
        if (listing == null) {
            return Optional.empty();
        }
        String name = place.name().substring(place.name().lastIndexOf('/') + 1);
        RemoteFile wanted = new RemoteFile(name, RemoteFile.Kind.FILE, 0, 0, 0, "");
        int index = Collections.binarySearch(listing.entries, wanted, Comparator.comparing(RemoteFile::name));
        return index < 0 ? Optional.empty() : Optional.of(listing.entries.get(index));
    }

    /** What is remembered of {@code place} is not believed any more. */
    void forget(Place place) {
        files.remove(place);
    }

    /**
     * The entries of a directory. The answer may come inside this call.
     *
     * @param settled whether nothing is on its way there, so that the answer may be remembered
     */
    void list(Place place, boolean settled, Outcome.Callback<List<RemoteFile>> done) {
        Listing listing = listings.get(place);
        if (listing != null && isFresh(listing.atNanos)) {
            done.accept(Outcome.of(listing.entries));
            return;
        }
        long asked = nanoClock.getAsLong();
        long before = changes;
        CallTimeouts timeouts = timeouts(place.topic(), ofPages);
        remote.list(place.topic(), place.name(), timeouts, told -> {
            Outcome<List<RemoteFile>> outcome = PrintableNames.of(told, files -> files);
            heard(place.topic(), timeouts, outcome);
            forgetListing(place);
            if (settled && !outcome.isRefused() && before == changes) {
                remember(place, new Listing(outcome.get(), asked));
            }
            done.accept(outcome);
        });
    }

    /** Something was done to {@code place}: what is remembered of it and of its directory is no longer true. */
    void changed(Place place) {
        changes++;
        files.keySet().removeIf(place::isAtOrAbove);
        for (Place listed : List.copyOf(listings.keySet())) {
            if (place.isAtOrAbove(listed)) {
                forgetListing(listed);
            }
        }
        forgetListing(place.parent());
    }

    /** Whether the far end of {@code topic} was away or silent when it was last asked, a moment ago. */
    boolean isAway(Topic topic) {
        return whyAway(topic).isPresent();
    }

    /** What it was refused with then. */
    Optional<Refusal> whyAway(Topic topic) {
        return Optional.ofNullable(away.get(topic))
                .filter(since -> nanoClock.getAsLong() - since.atNanos < BELIEVED_AWAY.toNanos())
                .map(Away::why);
    }

    /** The topics whose far ends were away or silent when they were last asked. */
    Collection<Topic> away() {
        return List.copyOf(away.keySet());
    }

    /** The far end of {@code topic} has a question and has not answered in time: it is as good as away. */
    void unanswered(Topic topic) {
        isAway(topic, new Refusal(ErrorCode.UNREACHABLE, RemoteFiles.SILENT));
    }

    private void isAway(Topic topic, Refusal why) {
        away.remove(topic); // to the end of the row
        away.put(topic, new Away(why, nanoClock.getAsLong()));
    }

    /** How much was done through this server so far. */
    long changes() {
        return changes;
    }

    private CallTimeouts timeouts(Topic topic, CallTimeouts usual) {
        return isAway(topic) ? withAway : usual;
    }

    private void heard(Topic topic, CallTimeouts timeouts, Outcome<?> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            answered.accept(topic);
        }
        if (refusal == null || refusal.code() != ErrorCode.UNREACHABLE) {
            away.remove(topic);
        } else if (!timeouts.equals(withAway)) {
            isAway(topic, refusal);
        }
    }

    private boolean isFresh(long atNanos) {
        return nanoClock.getAsLong() - atNanos < FRESH.toNanos();
    }

    private void remember(Place place, RemoteFile file, long asked) {
        files.remove(place);
        files.put(place, new Known(file, asked));
    }

    private void remember(Place place, Listing listing) {
        if (listing.entries.size() >= MAX_ENTRIES) {
            return;
        }
        listings.put(place, listing);
        listedEntries += listing.entries.size() + 1;
        while (listedEntries > MAX_ENTRIES) {
            forgetListing(listings.keySet().iterator().next());
        }
    }

    private void forgetListing(Place place) {
        Listing listing = listings.remove(place);
        if (listing != null) {
            listedEntries -= listing.entries.size() + 1;
        }
    }
}
