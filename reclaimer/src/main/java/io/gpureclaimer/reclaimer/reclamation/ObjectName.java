package io.gpureclaimer.reclaimer.reclamation;

/** Namespace and name of an object, whose kind is known. */
record ObjectName(String namespace, String name) {}
