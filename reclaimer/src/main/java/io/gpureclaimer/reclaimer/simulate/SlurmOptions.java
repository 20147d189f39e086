package io.gpureclaimer.reclaimer.simulate;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What Slurm does not record about its jobs, as the user says it.
 *
 * @param notebookPartitions partitions whose jobs are notebooks; jobs of others are trainings
 * @param priorities of the pods of a partition; 0 for others
 * @param activity file with the activity of jobs; activity of others is drawn
 */
public record SlurmOptions(
    Set<String> notebookPartitions, Map<String, Integer> priorities, Optional<Path> activity) {
  public SlurmOptions {
    notebookPartitions = Set.copyOf(notebookPartitions);
    priorities = Map.copyOf(priorities);
  }
}
