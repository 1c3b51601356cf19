package io.hawser.agenta.http;

import io.hawser.agenta.namespace.Namespace.Place;
import java.util.HashSet;
import java.util.Set;

/**
 * The names that uploads of this front will have which must be new ({@code If-None-Match: *}): of two at a time only one can succeed.
 *
 * <p>Bounded by the connections. Thread: the loop.
 */
final class ExclusiveUploads {
    private final Set<Place> places = new HashSet<>();

    /** False if another upload has claimed the name. */
    boolean claim(Place place) {
        return places.add(place);
    }

    void release(Place place) {
        places.remove(place);
    }
}
