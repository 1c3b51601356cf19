package io.hawser.it.power;

import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;

/** Starts a node on a machine that may be overloaded. */
final class PatientStart {
    private static final int TRIES = 3;

    private PatientStart() {}

    /** A node that is not ready in time gets that time again, twice. */
    static void of(ProcessChain chain, Part part) throws IOException {
        for (int i = 1; ; i++) {
            try {
                NodeProcess unused = chain.start(part);
                return;
            } catch (NodeProcess.NotReadyException e) {
                if (e.exitCode() != -1 || i == TRIES) {
                    throw e;
                }
            }
        }
    }
}
