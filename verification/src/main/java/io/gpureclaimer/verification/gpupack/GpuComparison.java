package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import io.gpureclaimer.verification.gpupack.Load.Stretch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/** Everything that is compared about the GPUs, over all readings. */
final class GpuComparison {
  private static final Map<String, String> TEXTS =
      Map.of(
          "pci_bus_id", "pci.bus_id",
          "modelName", "name",
          "DCGM_FI_DEV_SERIAL", "serial",
          "DCGM_FI_DRIVER_VERSION", "driver_version",
          "DCGM_FI_DEV_VBIOS_VERSION", "vbios_version");

  private final Set<String> gpus;
  private final List<FieldComparison> fields =
      ComparedField.NUMBERS.stream().map(FieldComparison::new).toList();
  private final Map<String, OfGpu> ofGpus = new LinkedHashMap<>();
  private final Set<String> usedByOthers = new TreeSet<>();

  private record OfGpu(LedgerComparison ledger, EnergyComparison energy) {}

  GpuComparison(Set<String> gpus) {
    this.gpus = Set.copyOf(gpus);
    new TreeSet<>(gpus)
        .forEach(
            gpu ->
                ofGpus.put(gpu, new OfGpu(new LedgerComparison(gpu), new EnergyComparison(gpu))));
  }

  /**
   * One reading of nvidia-smi and the agent's scrapes around it.
   *
   * @param settled whether load and rest have not changed for some seconds
   * @param load whether our load runs
   */
  record Round(
      Scrape before,
      Map<String, Map<String, String>> smi,
      Scrape after,
      boolean settled,
      boolean load) {}

  /** Fields that nvidia-smi is queried for. */
  static List<String> smiFields() {
    var names = new TreeSet<>(TEXTS.values());
    ComparedField.NUMBERS.forEach(field -> names.add(field.field()));
    return List.copyOf(names);
  }

  /** Compares one round; returns its lines of comma-separated values. */
  List<String> add(Round round) {
    var lines = new ArrayList<String>();
    ofGpus.forEach(
        (gpu, compared) -> {
          Map<String, String> smi = round.smi().getOrDefault(gpu, Map.of());
          if (!round.load() && round.settled() && number(smi, "utilization.gpu").orElse(0) > 0) {
            usedByOthers.add(gpu);
          }
          compared.ledger().add(round.before());
          compared.ledger().add(round.after());
          compared
              .energy()
              .add(
                  round.after().at(),
                  round.after().value(EnergyComparison.METRIC, gpu),
                  number(smi, "power.draw"));
          compareFields(round, gpu, smi, lines);
        });
    return lines;
  }

  private void compareFields(Round round, String gpu, Map<String, String> smi, List<String> lines) {
    for (int i = 0; i < fields.size(); i++) {
      ComparedField field = ComparedField.NUMBERS.get(i);
      if (field.varies() && !round.settled()) {
        continue;
      }
      OptionalDouble before = round.before().value(field.metric(), gpu);
      OptionalDouble value = number(smi, field.field());
      OptionalDouble after = round.after().value(field.metric(), gpu);
      OptionalDouble distance = fields.get(i).add(before, value, after);
      lines.add(
          String.join(
              ",",
              round.after().at().toString(),
              gpu,
              round.load() ? "load" : "rest",
              field.metric(),
              text(before),
              text(value),
              text(after),
              text(distance)));
    }
  }

  private static OptionalDouble number(Map<String, String> smi, String field) {
    String value = smi.get(field);
    return value == null ? OptionalDouble.empty() : ComparedField.number(value);
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Double.toString(value.getAsDouble()) : "";
  }

  List<CheckRow> valueRows() {
    var rows = new ArrayList<>(fields.stream().map(FieldComparison::row).toList());
    ofGpus.values().forEach(compared -> rows.add(compared.energy().row()));
    return rows;
  }

  List<CheckRow> ledgerRows(List<Stretch> stretches) {
    return ofGpus.entrySet().stream()
        .flatMap(
            entry ->
                entry
                    .getValue()
                    .ledger()
                    .rows(stretches, usedByOthers.contains(entry.getKey()))
                    .stream())
        .toList();
  }

  /** Rows about which GPUs there are and what they are called. */
  List<CheckRow> identityRows(Scrape scrape, Map<String, Map<String, String>> smi) {
    var rows = new ArrayList<CheckRow>();
    if (smi.isEmpty()) {
      rows.add(CheckRow.notChecked("UUIDs", "the same", "nvidia-smi does not run"));
      return rows;
    }
    rows.add(
        new CheckRow(
            "UUIDs of the GPUs",
            String.join(", ", new TreeSet<>(smi.keySet())),
            String.join(", ", new TreeSet<>(gpus)),
            Result.of(smi.keySet().equals(gpus))));
    for (String gpu : ofGpus.keySet()) {
      Map<String, String> labels = scrape.labels(gpu);
      Map<String, String> fieldsOfGpu = smi.getOrDefault(gpu, Map.of());
      TEXTS.forEach((label, field) -> rows.add(textRow(gpu, label, field, labels, fieldsOfGpu)));
    }
    return rows;
  }

  private static CheckRow textRow(
      String gpu, String label, String field, Map<String, String> ours, Map<String, String> smi) {
    String subject = gpu + ": label `" + label + "` and `" + field + "`";
    String expected = smi.getOrDefault(field, "");
    String found = ours.getOrDefault(label, "");
    if (expected.isEmpty() || expected.startsWith("[") || expected.equals("N/A")) {
      return CheckRow.notChecked(subject, "equal", "nvidia-smi does not report it");
    }
    if (found.isEmpty()) {
      return CheckRow.notChecked(subject, expected, "the agent does not report it");
    }
    return new CheckRow(subject, expected, found, Result.of(expected.equalsIgnoreCase(found)));
  }
}
