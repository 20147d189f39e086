package io.gpureclaimer.reclaimer.workload;

import java.util.HashMap;
import java.util.Map;

/** Puts names together that belong together, directly or by others. Confined to one thread. */
final class DisjointSets {
  private final Map<String, String> parents = new HashMap<>();

  void join(String one, String other) {
    parents.put(root(one), root(other));
  }

  /** A name that all names of its set have in common. */
  String root(String name) {
    String root = name;
    while (!parent(root).equals(root)) {
      root = parent(root);
    }
    shorten(name, root);
    return root;
  }

  private String parent(String name) {
    return parents.getOrDefault(name, name);
  }

  /** Later questions about the same name take one step. */
  private void shorten(String name, String root) {
    String each = name;
    while (!each.equals(root)) {
      String next = parent(each);
      parents.put(each, root);
      each = next;
    }
  }
}
