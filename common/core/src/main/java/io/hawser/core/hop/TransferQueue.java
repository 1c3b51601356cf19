package io.hawser.core.hop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * A queue of transfers: of those with the highest priority the one that was added first comes first. A transfer's priority may change only while
 * it is not in the queue.
 *
 * <p>Thread: the sender's loop.
 */
final class TransferQueue {
    /** By priority, from 0 on; those above the last have none. */
    private final List<ArrayDeque<OutgoingTransfer>> byPriority = new ArrayList<>();

    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void addLast(OutgoingTransfer transfer) {
        while (byPriority.size() <= transfer.priority) {
            byPriority.add(new ArrayDeque<>(0));
        }
        byPriority.get(transfer.priority).addLast(transfer);
        size++;
    }

    OutgoingTransfer getFirst() {
        return first().getFirst();
    }

    OutgoingTransfer removeFirst() {
        OutgoingTransfer removed = first().removeFirst();
        size--;
        return removed;
    }

    private ArrayDeque<OutgoingTransfer> first() {
        for (int priority = byPriority.size() - 1; priority >= 0; priority--) {
            if (!byPriority.get(priority).isEmpty()) {
                return byPriority.get(priority);
            }
        }
        throw new NoSuchElementException();
    }

    /** Whether it was in the queue. */
    boolean remove(OutgoingTransfer transfer) {
        boolean removed = transfer.priority < byPriority.size()
                && byPriority.get(transfer.priority).remove(transfer);
        size -= removed ? 1 : 0;
        return removed;
    }

    void forEach(Consumer<OutgoingTransfer> action) {
        byPriority.forEach(queue -> queue.forEach(action));
    }

    void clear() {
        byPriority.forEach(ArrayDeque::clear);
        size = 0;
    }
}
