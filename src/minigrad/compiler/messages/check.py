"""Sentences about a program that breaks its own rules, and about what an executor is given."""

ROWS = {
    # ---- a program of scalars ---------------------------------------------------------------------
    "compile.check.lengths": (
        "the program has {ops} ops and {args} lists of arguments: each node needs one of both",
        "el programa tiene {ops} operaciones y {args} listas de argumentos: cada nodo necesita una de ambas",
    ),
    "compile.check.op": (
        "node {node} has the op {op}, which no program has",
        "el nodo {node} tiene la operación {op}, que ningún programa tiene",
    ),
    "compile.check.arity": (
        "node {node}: {op} cannot have {given} arguments",
        "nodo {node}: {op} no puede tener {given} argumentos",
    ),
    "compile.check.older": (
        "node {node} is computed from node {arg}, which is not older than itself",
        "el nodo {node} se calcula a partir del nodo {arg}, que no es anterior a él",
    ),
    "compile.check.data": (
        "node {node}: a constant has a number, and nothing else has one",
        "nodo {node}: una constante tiene un número, y nada más lo tiene",
    ),
    "compile.check.inputs": (
        "the list of inputs and the nodes that are inputs differ at node {node}",
        "la lista de entradas y los nodos que son entradas difieren en el nodo {node}",
    ),
    "compile.check.node": (
        "{what} refers to node {node}; the nodes are 0 to {last}",
        "{what} se refiere al nodo {node}; los nodos van de 0 a {last}",
    ),
    "compile.check.word.output": ("an output", "una salida"),
    "compile.check.word.guard": ("a guard", "una guarda"),
    "compile.check.guard": (
        "the guard on node {node} expects NaN, which no number equals",
        "la guarda del nodo {node} espera NaN, que no es igual a ningún número",
    ),
    "compile.check.when": (
        "node {node} has {times} times for {slots} slots",
        "el nodo {node} tiene {times} momentos para {slots} ranuras",
    ),
    # ---- a program as text ------------------------------------------------------------------------
    "compile.show.more": ("{count} more", "{count} más"),
    "compile.show.output": ("out", "salida"),
    "compile.show.guard": ("guard", "guarda"),
    "compile.show.cells": (
        "{shared} cells, {constants} of them constants",
        "{shared} celdas, {constants} de ellas constantes",
    ),
    "compile.show.lanes": (
        "{shared} shared cells, {constants} of them constants; {lanes} cells for each sample",
        "{shared} celdas compartidas, {constants} de ellas constantes; {lanes} celdas por muestra",
    ),
    "compile.show.before": ("before the batch", "antes del lote"),
    "compile.show.body": ("for every sample", "para cada muestra"),
    "compile.show.after": ("after the batch", "después del lote"),
    # ---- running ----------------------------------------------------------------------------------
    "compile.run.dtype": ("dtype {given} is none of {known}", "el dtype {given} no es ninguno de {known}"),
    "compile.run.shared": (
        "the plan takes {wanted} shared numbers in one row, and was given an array of shape {given}",
        "el plan toma {wanted} números compartidos en una fila, y recibió un array de forma {given}",
    ),
    "compile.run.lanes": (
        "the plan takes {wanted} columns of one length, and was given columns of lengths {given}",
        "el plan toma {wanted} columnas de la misma longitud, y recibió columnas de longitudes {given}",
    ),
}
