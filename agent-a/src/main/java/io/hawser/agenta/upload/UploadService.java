package io.hawser.agenta.upload;

import io.hawser.agenta.namespace.AdvertisedSizes;
import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.Requester;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The uploads of one node for its fronts: begins new ones, continues those that broke off, and patches files of the far end. All share
 * the memory of {@link #buffers}.
 *
 * <p>Thread: the loop.
 */
public final class UploadService {
    private final NamespaceService names;
    private final BufferScheduler buffers;
    private final EventLoop loop;
    private final ActiveUploads active = new ActiveUploads();
    private final RefusedUploads refusedTries = new RefusedUploads(System::nanoTime);
    /** For fragments that wait until an upload has been compared with the one that broke off. */
    private final Semaphore waitingPlaces;

    /** {@code pool} is memory for what comes in; its buffers hold one fragment. */
    public UploadService(NamespaceService names, FragmentBufferPool pool, EventLoop loop) {
        this.names = names;
        this.loop = loop;
        this.buffers = new BufferScheduler(pool, loop, this::later, System::nanoTime);
        this.waitingPlaces = new Semaphore(Math.max(0, pool.capacity() / FragmentSink.MAX_UNSPOOLED_SHARE - 1));
    }

    private void later(long millis, Runnable task) {
        var unused = loop.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    public NamespaceService names() {
        return names;
    }

    /** Where uploads are kept until they are delivered. */
    public Spool spool() {
        return names.spool();
    }

    public EventLoop loop() {
        return loop;
    }

    public BufferScheduler buffers() {
        return buffers;
    }

    /** The uploads that have a client now. */
    public ActiveUploads active() {
        return active;
    }

    public RefusedUploads refusedTries() {
        return refusedTries;
    }

    /** The upload of {@code account} to {@code place} that broke off, unless it is as if it had not begun. */
    public Optional<TransferSnapshot> interrupted(String account, Place place) {
        return spool().findIncomplete(account, place.topic(), place.name())
                .filter(state -> AdvertisedSizes.isConverted(state)
                        || AdvertisedSizes.of(spool(), state).isPresent());
    }

    /** Continues the upload of {@code account} to {@code place} that broke off; empty if there is none. */
    public Optional<Outcome<Upload>> resume(String account, Place place) {
        assert loop.inEventLoop();
        return spool().findIncomplete(account, place.topic(), place.name()).map(state -> spool().resume(state.key()));
    }

    /**
     * Begins an upload from byte 0. Its order among others of its path is decided now. Where an upload of the same account and path
     * broke off, what comes again is compared and not sent again, see {@link Spool#restart}.
     *
     * @param announcedBytes its size, if the client announced it: space for it is reserved
     * @param convertsText whether its line ends are changed as they come
     */
    public Outcome<Upload> begin(Requester requester, Place place, OptionalLong announcedBytes, boolean convertsText) {
        if (announcedBytes.isPresent()) {
            long here = spool().findIncomplete(requester.account().name(), place.topic(), place.name())
                    .map(TransferSnapshot::durableBytes)
                    .orElse(0L);
            Optional<Refusal> noRoom = spool().refusalFor(Math.max(0, announcedBytes.getAsLong() - here));
            if (noRoom.isPresent()) {
                return Outcome.refused(noRoom.get());
            }
        }
        // Recorded before any byte, so that it is known after a crash too.
        Map<String, String> attributes =
                convertsText ? Map.of(Attributes.CONVERTED, Attributes.CONVERTED_TEXT) : Map.of();
        UploadRequest request = request(requester, place, TransferKind.FILE, attributes);
        Outcome<Upload> begun = convertsText ? spool().begin(request) : spool().restart(request, waitingPlaces);
        if (!begun.isRefused() && announcedBytes.isPresent()) {
            reserve(begun.get(), announcedBytes.getAsLong());
        }
        return begun;
    }

    /** Begins an upload whose bytes are a patch of a file. */
    public Outcome<Upload> begin(Requester requester, Place place, PatchBaseFinder.Patch patch) {
        Map<String, String> attributes = new HashMap<>(patch.base());
        attributes.put(Attributes.OFFSET, patch.places().text());
        return spool().begin(request(requester, place, TransferKind.PATCH, attributes));
    }

    private UploadRequest request(Requester requester, Place place, TransferKind kind, Map<String, String> attributes) {
        assert loop.inEventLoop();
        Map<String, String> all = new HashMap<>(attributes);
        all.put(Attributes.ACCOUNT, requester.account().name());
        UploadRequest request = new UploadRequest(
                place.topic(),
                kind,
                place.name(),
                List.of(place.name()),
                Manifest.UNKNOWN_SIZE,
                names.fragmentSizeBytes(),
                all,
                UploadRequest.Keyed.NONE);
        return requester.delegation().apply(request);
    }

    /** An upload of announced size need not wait for space in its middle. */
    private static void reserve(Upload upload, long bytes) {
        int fragmentBytes = upload.manifest().fragmentSizeBytes();
        boolean unused = upload.reserve((int) ((bytes + fragmentBytes - 1) / fragmentBytes));
    }

    /** Whether the bytes {@code ranges} of an upload are durable here. */
    public static boolean isDurable(Upload upload, FragmentRanges ranges) {
        FragmentRanges full = upload.durableFragments();
        int size = upload.manifest().fragmentSizeBytes();
        for (FragmentRange range : ranges.runs()) {
            long gap = full.firstMissing(range.start() / size);
            long end = gap * size + upload.durableLength(gap);
            if (end < range.end()) {
                return false;
            }
        }
        return true;
    }
}
