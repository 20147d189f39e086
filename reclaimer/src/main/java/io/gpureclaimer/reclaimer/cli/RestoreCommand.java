package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer.OwnerRestoreResult;
import io.gpureclaimer.reclaimer.show.ReclamationTable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The way back of owners that were scaled, suspended or stopped. */
@Command(
    name = "restore",
    description = {
      "Ask the reclaimer to restore an owner; it does so in its next cycle.",
      "With --all, restore every reclaimed owner now, with your own rights. No reclaimer needs to"
          + " run.",
      "Ends with 1 if an owner was not restored."
    })
final class RestoreCommand implements Callable<Integer> {
  private static final Pattern FORM = Pattern.compile("[^/\\s]+/[^/\\s]+/[^/\\s]+");

  @Parameters(
      paramLabel = "NAMESPACE/KIND/NAME",
      arity = "0..1",
      description = "Which owner, for example research/deployment/web.")
  String owner = "";

  @Option(names = "--all", description = "Restore all owners.")
  boolean all;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description = "With --all: only the owners in this namespace.")
  @Nullable String namespace;

  @Option(names = "--dry-run", description = "Report what would be done, and write nothing.")
  boolean dryRun;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (all == !owner.isEmpty()) {
      throw mistake(
          "expected either NAMESPACE/KIND/NAME or --all, was " + (all ? "both" : "neither"));
    }
    if (namespace != null && !all) {
      throw mistake("--namespace needs --all");
    }
    if (!all && !FORM.matcher(owner).matches()) {
      throw mistake("the owner must be written NAMESPACE/KIND/NAME, was " + owner);
    }
    return SingleRun.in(
        SingleRun.withoutEvidence(spec),
        context -> {
          var restorer = context.getBean(OwnerRestorer.class);
          var clock = context.getBean(Clock.class);
          return all ? restoreAll(restorer, clock) : request(restorer, clock);
        });
  }

  private ParameterException mistake(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  int restoreAll(OwnerRestorer restorer, Clock clock) {
    Optional<String> only = Optional.ofNullable(namespace);
    List<OwnerRestoreResult> results = new ArrayList<>();
    restorer.restoreAll(
        only,
        dryRun,
        result -> {
          results.add(result);
          print(result);
        });
    if (results.isEmpty()) {
      System.out.println("Nothing to restore: no action on an owner is unfinished.");
      System.out.print(ReclamationTable.of(restorer.records(only), clock.instant()));
    }
    return results.stream().allMatch(OwnerRestoreResult::isDone)
        ? ExitCode.OK
        : ExitCode.WORLD_IS_BROKEN;
  }

  int request(OwnerRestorer restorer, Clock clock) {
    String[] parts = owner.split("/", -1);
    Optional<OwnerRestoreResult> result = restorer.request(parts[0], parts[1], parts[2], dryRun);
    if (result.isEmpty()) {
      System.out.print(
          ReclamationTable.of(restorer.records(Optional.of(parts[0])), clock.instant()));
      return ExitCode.worldIsBroken(
          parts[1] + " " + parts[0] + "/" + parts[2] + " is not reclaimed");
    }
    print(result.get());
    return result.get().isDone() ? ExitCode.OK : ExitCode.WORLD_IS_BROKEN;
  }

  private static void print(OwnerRestoreResult result) {
    System.out.println(result.owner() + ": " + result.sentence());
  }
}
