package io.hawser.agenta.http;

import io.hawser.agenta.namespace.PathFacts;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;

/** The lines of a listing, each made when it is sent: a head, one for each entry, and an end. Thread: its owner's. */
final class PageLines implements Iterator<String> {
    private final Iterator<PathFacts> entries;
    private final BiFunction<PathFacts, Boolean, String> row;
    private final String end;
    private final String head;
    private boolean begun;
    private boolean ended;

    /** @param row makes the line of an entry; it also gets whether another one follows */
    PageLines(String head, Collection<PathFacts> entries, BiFunction<PathFacts, Boolean, String> row, String end) {
        this.head = head;
        this.entries = entries.iterator();
        this.row = row;
        this.end = end;
    }

    @Override
    public boolean hasNext() {
        return !ended;
    }

    @Override
    public String next() {
        if (ended) {
            throw new NoSuchElementException("the listing has ended");
        }
        if (!begun) {
            begun = true;
            return head;
        }
        if (entries.hasNext()) {
            PathFacts entry = entries.next();
            return row.apply(entry, entries.hasNext());
        }
        ended = true;
        return end;
    }
}
