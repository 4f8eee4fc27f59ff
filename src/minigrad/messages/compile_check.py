"""What is wrong with a program that breaks its own rules, and with what an executor is given."""

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
    # ---- a plan -----------------------------------------------------------------------------------
    "compile.check.at": ("{part}, instruction {number}: {wrong}", "{part}, instrucción {number}: {wrong}"),
    "compile.check.plan.inputs": (
        "input {number} lies in cell {cell}; the inputs of a space lie side by side from cell 0 on",
        "la entrada {number} está en la celda {cell}; las de un espacio van seguidas desde la celda 0",
    ),
    "compile.check.plan.constants": (
        "{count} constants from cell {first} on do not follow the {inputs} shared inputs, or have no room",
        "{count} constantes desde la celda {first} no siguen a las {inputs} entradas compartidas, o no caben",
    ),
    "compile.check.plan.parts": (
        "{outputs} outputs and {gradients} gradients do not fit the parts {parts}",
        "{outputs} salidas y {gradients} gradientes no corresponden a las partes {parts}",
    ),
    "compile.check.plan.output": (
        "output {number} is read from cell {cell}, which nothing has written",
        "la salida {number} se lee de la celda {cell}, que nada ha escrito",
    ),
    "compile.check.plan.gradient": (
        "a gradient is given for input {number}, and there are {count} inputs",
        "se da un gradiente para la entrada {number}, y hay {count} entradas",
    ),
    "compile.check.plan.dims": ("{dims} are no dims", "{dims} no son dimensiones"),
    "compile.check.plan.kernel": (
        "there is no kernel {kernel} of {given} operands",
        "no hay ningún núcleo {kernel} de {given} operandos",
    ),
    "compile.check.plan.run": (
        "a run of {terms} terms of kind {kind} with {given} operands",
        "un tramo de {terms} términos de clase {kind} con {given} operandos",
    ),
    "compile.check.plan.terms": ("{terms} terms", "{terms} términos"),
    "compile.check.plan.strides": (
        "{strides} strides for {dims} dims",
        "{strides} saltos para {dims} dimensiones",
    ),
    "compile.check.plan.index": (
        "an index of shape {given} and type {type} where {wanted} of int64 is needed",
        "un índice de forma {given} y tipo {type} donde hace falta {wanted} de int64",
    ),
    "compile.check.plan.outside": (
        "cells {first} to {last} of space {space} are not all among its {count}",
        "las celdas {first} a {last} del espacio {space} no están todas entre sus {count}",
    ),
    "compile.check.plan.space": (
        "space {space} has no place here",
        "el espacio {space} no tiene lugar aquí",
    ),
    "compile.check.plan.unwritten": (
        "cell {cell} of space {space} is read, and nothing has written it",
        "se lee la celda {cell} del espacio {space}, y nada la ha escrito",
    ),
    "compile.check.plan.constant": (
        "cell {cell} holds a constant, and is written to",
        "la celda {cell} tiene una constante, y se escribe en ella",
    ),
    "compile.check.plan.sum_twice": (
        "two sums over the samples fill cell {cell}",
        "dos sumas sobre las muestras llenan la celda {cell}",
    ),
    "compile.check.plan.sum_read": (
        "the body reads cell {cell}, which a sum over the samples writes",
        "el cuerpo lee la celda {cell}, que una suma sobre las muestras escribe",
    ),
    "compile.check.same.counts": (
        "the program gives {given} outputs and the plan {wanted}",
        "el programa da {given} salidas y el plan {wanted}",
    ),
    "compile.check.same.output": (
        "output {number} of the plan is not computed as the program computes it",
        "la salida {number} del plan no se calcula como la calcula el programa",
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
    "compile.run.inputs": (
        "the program has {wanted} inputs, and {given} numbers were given",
        "el programa tiene {wanted} entradas, y se dieron {given} números",
    ),
    "compile.run.shared": (
        "the plan takes {wanted} shared numbers in one row, and was given an array of shape {given}",
        "el plan toma {wanted} números compartidos en una fila, y recibió un array de forma {given}",
    ),
    "compile.run.lanes": (
        "the plan takes {wanted} columns of one length, and was given columns of lengths {given}",
        "el plan toma {wanted} columnas de la misma longitud, y recibió columnas de longitudes {given}",
    ),
}
