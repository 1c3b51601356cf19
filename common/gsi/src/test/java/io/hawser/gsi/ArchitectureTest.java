package io.hawser.gsi;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;

/** What the module promises of itself. */
@AnalyzeClasses(packages = "io.hawser", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule nothingIsDecompressed = ModuleRules.nothingIsDecompressed("io.hawser.gsi..");

    @ArchTest
    static final ArchRule knowsNothingOfTheRest = noClasses()
            .that()
            .resideInAPackage("io.hawser.gsi..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "io.hawser.ptcp..", "io.hawser.core..", "io.hawser.agenta..");

    @ArchTest
    static final ArchRule registersNoSecurityProvider = noClasses()
            .that()
            .resideInAPackage("io.hawser.gsi..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.security.Security");

    @ArchTest
    static final ArchRule filesAreReadInOnePackage = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.hawser.gsi.name", "io.hawser.gsi.path", "io.hawser.gsi.credential", "io.hawser.gsi.token")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.io.File*");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.hawser.gsi.(**)").should().beFreeOfCycles();
}
