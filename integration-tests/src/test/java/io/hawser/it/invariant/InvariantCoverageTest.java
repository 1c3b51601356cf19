package io.hawser.it.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each invariant has tests that name it, beside the simulator's own check. */
class InvariantCoverageTest {
    @Test
    void eachInvariantHasTestsThatNameIt() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(place -> place.contains("/test-classes/") || place.contains("-tests.jar"))
                .importPackages("io.hawser");
        Map<InvariantName, Set<String>> tests = new EnumMap<>(InvariantName.class);

        for (JavaMethod method :
                classes.stream().flatMap(type -> type.getMethods().stream()).toList()) {
            Invariant onMethod = method.tryGetAnnotationOfType(Invariant.class).orElse(null);
            Invariant onClass =
                    method.getOwner().tryGetAnnotationOfType(Invariant.class).orElse(null);
            boolean isTest = method.isAnnotatedWith(Test.class) || onMethod != null;
            for (Invariant marked : new Invariant[] {onMethod, onClass}) {
                if (isTest && marked != null) {
                    Arrays.stream(marked.value()).forEach(name -> tests.computeIfAbsent(name, unused -> new TreeSet<>())
                            .add(method.getFullName()));
                }
            }
        }

        for (InvariantName name : InvariantName.values()) {
            assertThat(tests.getOrDefault(name, Set.of()))
                    .as("tests of %s", name)
                    .isNotEmpty();
        }
    }
}
